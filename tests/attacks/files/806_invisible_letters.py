"""Uses bidi marks, zero-width and look-alike letters in names, texts and lines of source; right outcome: nothing is hidden."""
# points: none | verdict: raised
from torch import nn

print("pass\u200bed \u2066\u202e12/0\u202c\u2069 \ufeff\u00ad\u2028\u2029 \U000e0041\U000e0042", flush=True)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        раssed = "\u202e12/0\u202c"
        raise ValueError(раssed + "\u200b\u2066\u2028\U000e0041")  # a comment with the marks themselves: ‮ ⁦ ​
