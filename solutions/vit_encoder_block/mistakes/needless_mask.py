# tag: needless-mask | checks: lets_every_patch_see_all
"""The attention of the GPT block, mask and all."""

from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(dim, dim, 1024, num_heads=heads, dropout=dropout, qkv_bias=True)
        self.feed_forward = FeedForward({"emb_dim": dim})
        self.norm1 = LayerNorm(dim)
        self.norm2 = LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        h = x + self.drop(self.attention(self.norm1(x)))
        return h + self.drop(self.feed_forward(self.norm2(h)))
