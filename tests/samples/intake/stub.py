import torch.nn as nn


class ResidualAdd(nn.Module):
    """x + F(Norm(x))."""

    def __init__(self, dim, sublayer, dropout=0.0):
        """Keep what forward needs."""
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError("Write your code here")
