"""ParameterDict for scale and shift."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim: int, sublayer, dropout: float = 0.1):
        super().__init__()
        self.p = nn.ParameterDict({"shift": nn.Parameter(torch.zeros(dim)), "scale": nn.Parameter(torch.ones(dim))})
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        z = nn.functional.layer_norm(x, x.shape[-1:]) * self.p["scale"] + self.p["shift"]
        return x + self.dropout(self.sublayer(z, **kwargs))
