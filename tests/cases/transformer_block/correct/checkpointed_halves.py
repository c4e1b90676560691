"""Both halves under checkpointing, the shortcut inside."""
from torch import nn
from torch.utils.checkpoint import checkpoint
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.norms = nn.ModuleDict({"attention": LayerNorm(d), "feed_forward": LayerNorm(d)})
        self.sublayers = nn.ModuleDict({
            "attention": MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                            dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"]),
            "feed_forward": FeedForward(cfg),
        })
        self.drop = nn.Dropout(cfg["drop_rate"])

    def half(self, name, x):
        return x + self.drop(self.sublayers[name](self.norms[name](x)))

    def forward(self, x):
        for name in self.sublayers:
            x = checkpoint(self.half, name, x, use_reentrant=False) if self.training else self.half(name, x)
        return x
