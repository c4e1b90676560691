"""Writes markup into the very line that a page shows; right outcome: shown as text."""
# points: some | verdict: failed
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return x if "</code></pre><script>alert(1)</script><style>*{display:none}</style>\x1b[2J" else x  # {{ 7*7 }} {% x %}
