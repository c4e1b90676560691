"""Trains itself for a few steps at the bottom of the file and seeds there."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))


torch.manual_seed(1)
demo = ResidualAdd(4, nn.Linear(4, 4))
optimizer = torch.optim.SGD(demo.parameters(), lr=0.1)
for step in range(3):
    loss = demo(torch.randn(2, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss", round(loss.item(), 3))
