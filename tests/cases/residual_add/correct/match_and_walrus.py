"""match statement, walrus, default dict of callables."""
from torch import nn, Tensor
import torch

class ResidualAdd(nn.Module):
    def __init__(self, dim: int, sublayer, dropout: float = 0.1) -> None:
        super().__init__()
        match dropout:
            case 0 | 0.0: self.drop = nn.Identity()
            case rate: self.drop = nn.Dropout(rate)
        self.ln = nn.LayerNorm((dim,))
        self.sub = sublayer

    def forward(self, x: Tensor, **kwargs) -> Tensor:
        if (n := self.ln(x)) is not None and (f := self.sub(n, **kwargs)) is not None:
            return torch.add(input=x, other=self.drop(f))
        raise RuntimeError
