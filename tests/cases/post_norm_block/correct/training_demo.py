"""A short training run below the class."""

import torch
from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super(PostNormBlock, self).__init__()
        self.dim = dim
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        """Add and norm."""
        return self.norm(torch.stack([x, self.drop(self.sublayer(x))]).sum(dim=0))


torch.manual_seed(1)
model = nn.Sequential(*(PostNormBlock(4, nn.Linear(4, 4)) for _ in range(3)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = model(torch.randn(2, 3, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", loss.item())
