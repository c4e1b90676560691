"""Imports a tokenizer and a plot package that it does not need."""
import matplotlib.pyplot as plt
import tiktoken
import torch
import torch.nn as nn
from previous_chapters import MultiHeadAttention, FeedForward, LayerNorm

GPT_CONFIG = {"emb_dim": 768, "context_length": 1024, "n_heads": 12, "drop_rate": 0.1, "qkv_bias": False}


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.ln_1 = LayerNorm(d)
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                       dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.ln_2 = LayerNorm(d)
        self.mlp = FeedForward(cfg)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = torch.add(x, self.drop(self.attn(self.ln_1(x))))
        return torch.add(x, self.drop(self.mlp(self.ln_2(x))))
