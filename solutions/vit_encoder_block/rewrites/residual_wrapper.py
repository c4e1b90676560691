"""A wrapper that adds, twice in a sequence; dropout inside the feed forward as well, as in the paper."""

from torch import nn


class Residual(nn.Module):
    def __init__(self, dim, sublayer, dropout):
        super().__init__()
        self.norm, self.sublayer, self.drop = nn.LayerNorm(dim), sublayer, nn.Dropout(dropout)

    def forward(self, x):
        return x + self.drop(self.sublayer(self.norm(x)))


class SelfAttention(nn.MultiheadAttention):
    def forward(self, x):
        return super().forward(x, x, x, need_weights=False)[0]


class ViTEncoderBlock(nn.Sequential):
    def __init__(self, dim, heads, dropout):
        mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(4 * dim, dim))
        super().__init__(
            Residual(dim, SelfAttention(dim, heads, dropout, batch_first=True), dropout),
            Residual(dim, mlp, dropout),
        )
