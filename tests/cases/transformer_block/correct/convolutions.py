"""Feed forward as two 1x1 convolutions."""

from torch import nn
from previous_chapters import GELU, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p, qkv_bias=cfg["qkv_bias"])
        self.conv = nn.Sequential(nn.Conv1d(d, 4 * d, 1), GELU(), nn.Conv1d(4 * d, d, 1))
        self.norm1, self.norm2 = LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        x = x + self.drop(self.att(self.norm1(x)))
        y = self.conv(self.norm2(x).transpose(1, 2)).transpose(1, 2)
        return x + self.drop(y)
