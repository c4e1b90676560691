# tag: wrong-signature
"""Arguments instead of a dictionary."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, emb_dim, context_length, n_heads, drop_rate, qkv_bias=False):
        super().__init__()
        self.att = MultiHeadAttention(emb_dim, emb_dim, context_length, num_heads=n_heads, dropout=drop_rate,
                                      qkv_bias=qkv_bias)
        self.ff = FeedForward({"emb_dim": emb_dim})
        self.norm1 = LayerNorm(emb_dim)
        self.norm2 = LayerNorm(emb_dim)
        self.drop_shortcut = nn.Dropout(drop_rate)

    def forward(self, x):
        x = x + self.drop_shortcut(self.att(self.norm1(x)))
        x = x + self.drop_shortcut(self.ff(self.norm2(x)))
        return x
