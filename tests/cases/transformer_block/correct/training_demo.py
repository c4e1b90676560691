"""Trains a small block for a few steps at the bottom of the file."""
import torch
import torch.nn as nn
from previous_chapters import MultiHeadAttention, FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.drop_shortcut(self.att(self.norm1(x)))
        x = x + self.drop_shortcut(self.ff(self.norm2(x)))
        return x


torch.manual_seed(7)
small = dict(emb_dim=16, context_length=8, n_heads=2, drop_rate=0.1, qkv_bias=True)
block = TransformerBlock(small)
optimizer = torch.optim.AdamW(block.parameters(), lr=1e-2)
for _ in range(3):
    batch = torch.randn(2, 8, 16)
    loss = (block(batch) - batch.roll(1, dims=1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
