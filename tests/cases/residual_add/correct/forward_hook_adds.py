"""The shortcut is a hook on the block."""
from torch import nn


def add_input(module, args, output):
    return args[0] + output


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)
        self.register_forward_hook(add_input)

    def forward(self, x, **kwargs):
        return self.dropout(self.sublayer(self.norm(x), **kwargs))
