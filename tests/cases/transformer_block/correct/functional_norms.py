"""F.layer_norm with parameters that the block holds in two ParameterLists."""
import torch
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.width, self.rate = cfg["emb_dim"], cfg["drop_rate"]
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.gains = nn.ParameterList([nn.Parameter(torch.ones(self.width)) for _ in range(2)])
        self.offsets = nn.ParameterList([nn.Parameter(torch.zeros(self.width)) for _ in range(2)])

    def _half(self, x, number, sublayer):
        n = F.layer_norm(x, (self.width,), self.gains[number], self.offsets[number])
        return x + F.dropout(sublayer(n), self.rate, self.training)

    def forward(self, x):
        x = self._half(x, 0, self.att)
        return self._half(x, 1, self.ff)
