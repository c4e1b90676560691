# tag: dropout-in-eval | checks: is_quiet_in_eval_mode
"""The functional form, always in training."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.rate = dropout

    def forward(self, x):
        return self.norm(x + nn.functional.dropout(self.sublayer(x), self.rate))
