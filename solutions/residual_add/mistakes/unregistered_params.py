# tag: unregistered-params | checks: has_a_norm_of_its_own, registers_the_sublayer
"""All steps in one list."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.steps = [nn.LayerNorm(dim), sublayer]

    def forward(self, x, **kwargs):
        norm, fn = self.steps
        return x + self.dropout(fn(norm(x), **kwargs))
