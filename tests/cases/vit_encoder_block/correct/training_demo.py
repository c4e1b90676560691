"""A short training run below the class."""

import torch
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout=0.0):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, dropout=dropout, batch_first=True)
        self.feed_forward = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = self.norm1(x)
        h = x + self.drop(self.attention(n, n, n, need_weights=False)[0])
        return h + self.drop(self.feed_forward(self.norm2(h)))


torch.manual_seed(0)
block = ViTEncoderBlock(8, 2, 0.1)
optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
for _ in range(2):
    loss = block(torch.randn(2, 4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
