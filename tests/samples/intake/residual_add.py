import torch.nn as nn


class ResidualAdd(nn.Module):
    """x + F(Norm(x))."""

    def __init__(self, dim, sublayer, dropout=0.0):
        super().__init__()
        self.norm, self.sublayer, self.dropout = nn.LayerNorm(dim), sublayer, nn.Dropout(dropout)

    def forward(self, x):
        return x + self.dropout(self.sublayer(self.norm(x)))
