"""Statistics in at least float32, result in the dtype of x."""
import torch
from torch import nn


class SafeLayerNorm(nn.LayerNorm):
    def forward(self, x):
        wide = torch.promote_types(x.dtype, torch.float32)
        y = nn.functional.layer_norm(x.to(wide), self.normalized_shape, self.weight.to(wide), self.bias.to(wide), self.eps)
        return y.to(x.dtype)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.ln_1 = SafeLayerNorm(dim)
        self.sublayer = sublayer
        self.resid_dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.resid_dropout(self.sublayer(self.ln_1(x), **kwargs))
