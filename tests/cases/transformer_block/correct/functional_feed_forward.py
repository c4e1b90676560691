"""The feed forward by F.linear with a ParameterDict."""

import torch
import torch.nn.functional as F
from torch import nn
from previous_chapters import LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p, qkv_bias=cfg["qkv_bias"])
        up, down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.w = nn.ParameterDict({"up": up.weight, "up_b": up.bias, "down": down.weight, "down_b": down.bias})
        self.ln1, self.ln2, self.drop = LayerNorm(d), LayerNorm(d), nn.Dropout(p)

    def mlp(self, h):
        return F.linear(F.gelu(F.linear(h, self.w["up"], self.w["up_b"]), approximate="tanh"), self.w["down"], self.w["down_b"])

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln1(x)))
        return x + self.drop(self.mlp(self.ln2(x)))
