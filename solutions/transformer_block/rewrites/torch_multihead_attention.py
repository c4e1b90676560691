"""nn.MultiheadAttention with a causal mask."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.mha = nn.MultiheadAttention(cfg["emb_dim"], cfg["n_heads"], dropout=cfg["drop_rate"],
                                         bias=cfg["qkv_bias"], batch_first=True)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.dropout = nn.Dropout(cfg["drop_rate"])
        size = cfg["context_length"]
        self.register_buffer("causal", torch.ones(size, size, dtype=torch.bool).triu(1), persistent=False)

    def attend(self, x):
        tokens = x.size(1)
        return self.mha(x, x, x, attn_mask=self.causal[:tokens, :tokens], need_weights=False)[0]

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        x = x + self.dropout(self.ff(self.norm2(x)))
        return x
