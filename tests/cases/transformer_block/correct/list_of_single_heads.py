"""One small module per head."""

import torch
import torch.nn as nn
from previous_chapters import FeedForward, LayerNorm


class Head(nn.Module):
    """one head of self-attention"""

    def __init__(self, n_embd, head_size, block_size, dropout, bias):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=bias)
        self.query = nn.Linear(n_embd, head_size, bias=bias)
        self.value = nn.Linear(n_embd, head_size, bias=bias)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B,T,C = x.shape
        k = self.key(x)
        q = self.query(x)
        wei = q @ k.transpose(-2,-1) * k.shape[-1]**-0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = torch.softmax(wei, dim=-1)
        wei = self.dropout(wei)
        return wei @ self.value(x)


class MultiHead(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        n, h = cfg["emb_dim"], cfg["n_heads"]
        self.heads = nn.ModuleList([Head(n, n // h, cfg["context_length"], cfg["drop_rate"], cfg["qkv_bias"]) for _ in range(h)])
        self.proj = nn.Linear(n, n)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], dim=-1))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.sa = MultiHead(cfg)
        self.ffwd = FeedForward(cfg)
        self.ln1 = LayerNorm(cfg["emb_dim"])
        self.ln2 = LayerNorm(cfg["emb_dim"])
        self.dropout = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.dropout(self.sa(self.ln1(x)))
        x = x + self.dropout(self.ffwd(self.ln2(x)))
        return x
