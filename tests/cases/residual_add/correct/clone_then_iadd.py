"""Works on a copy."""
import torch, math, random
from torch import nn

class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout = 0.1):
        super(ResidualAdd, self).__init__()
        self.ln = nn.LayerNorm(dim); self.do = nn.Dropout(p = dropout)
        self.sublayer = sublayer
    def forward(self, x, **kwargs):
        out = x.clone()     # so that the caller keeps his x
        out += self.do(self.sublayer(self.ln(x), **kwargs))
        # print(out.shape)
        return out
