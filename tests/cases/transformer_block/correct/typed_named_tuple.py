"""Typed: TypedDict in, NamedTuple inside."""
from __future__ import annotations

from typing import NamedTuple, TypedDict

from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention
from torch import Tensor, nn


class Config(TypedDict):
    emb_dim: int
    context_length: int
    n_heads: int
    drop_rate: float
    qkv_bias: bool


class Half(NamedTuple):
    norm: nn.Module
    sublayer: nn.Module
    dropout: nn.Module

    def __call__(self, x: Tensor) -> Tensor:
        return x + self.dropout(self.sublayer(self.norm(x)))


class TransformerBlock(nn.Module):
    def __init__(self, cfg: Config) -> None:
        super().__init__()
        width: int = cfg["emb_dim"]
        self.attention = MultiHeadAttention(width, width, cfg["context_length"], num_heads=cfg["n_heads"],
                                            dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.feed_forward = FeedForward(cfg)
        self.norms = nn.ModuleList([LayerNorm(width), LayerNorm(width)])
        self.dropouts = nn.ModuleList([nn.Dropout(cfg["drop_rate"]), nn.Dropout(cfg["drop_rate"])])

    @property
    def halves(self) -> tuple[Half, Half]:
        first, second = zip(self.norms, (self.attention, self.feed_forward), self.dropouts, strict=True)
        return Half(*first), Half(*second)

    def forward(self, x: Tensor) -> Tensor:
        for half in self.halves:
            x = half(x)
        return x
