import torch.nn as nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        raise NotImplementedError
