"""Returns tensors that escaped from torch.func, without memory of their own; right outcome: refused or wrong."""
# points: some | verdict: failed/raised
import torch
from torch import nn

escaped = []


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        torch.func.vmap(lambda row: (escaped.append(row), row)[1])(x)
        return escaped[-1]
