"""The parts of the GPT block; the mask of the attention is cleared."""

from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.att = MultiHeadAttention(dim, dim, 1024, num_heads=heads, dropout=dropout)
        self.att.mask.zero_()
        self.ff = FeedForward({"emb_dim": dim})
        self.norm1 = LayerNorm(dim)
        self.norm2 = LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        shortcut = x
        x = self.norm1(x)
        x = self.att(x)
        x = self.drop(x)
        x = x + shortcut
        shortcut = x
        x = self.norm2(x)
        x = self.ff(x)
        x = self.drop(x)
        return x + shortcut
