"""F.multi_head_attention_forward with own parameters."""

import torch
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.cfg = cfg
        self.qkv = nn.Linear(d, 3 * d, bias=cfg["qkv_bias"])
        self.out = nn.Linear(d, d)
        self.ff, self.norm1, self.norm2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def attention(self, h):
        t = h.shape[1]
        mask = ~torch.tril(torch.ones(t, t, dtype=torch.bool, device=h.device))
        h = h.permute(1, 0, 2)
        h, _ = F.multi_head_attention_forward(
            h, h, h, self.cfg["emb_dim"], self.cfg["n_heads"], self.qkv.weight, self.qkv.bias, None, None, False,
            self.cfg["drop_rate"], self.out.weight, self.out.bias, training=self.training, need_weights=False,
            attn_mask=mask)
        return h.permute(1, 0, 2)

    def forward(self, x):
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))
