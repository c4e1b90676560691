"""One own dropout module serves both halves."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class InvertedDropout(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, t):
        if not self.training:
            return t
        kept = torch.rand(t.shape, device=t.device) >= self.rate
        return torch.where(kept, t / max(1.0 - self.rate, 1e-12), torch.zeros_like(t))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.drop = InvertedDropout(cfg["drop_rate"])
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"], d_out=cfg["emb_dim"], context_length=cfg["context_length"],
            num_heads=cfg["n_heads"], dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"],
        )
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])

    def forward(self, x):
        h = x + self.drop(self.att(self.norm1(x)))
        y = h + self.drop(self.ff(self.norm2(h)))
        return y
