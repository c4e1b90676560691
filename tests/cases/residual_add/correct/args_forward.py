"""forward with *args."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, *args, **options):
        super().__init__()
        names = ("dim", "sublayer", "dropout")
        options = {"dropout": 0.1, **dict(zip(names, args)), **options}
        self.norm = nn.LayerNorm(options["dim"])
        self.sublayer = options["sublayer"]
        self.dropout = nn.Dropout(options["dropout"])

    def forward(self, *args, **kwargs):
        x = args[0] if args else kwargs.pop("x")
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
