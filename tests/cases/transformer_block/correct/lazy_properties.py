"""Properties over add_module in a loop."""
from torch import nn
import previous_chapters as pc


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        for half in ("attention", "mlp"):
            self.add_module(f"{half}_norm", pc.LayerNorm(d))
            self.add_module(f"{half}_drop", nn.Dropout(cfg["drop_rate"]))
        self.register_module("attention_body", pc.MultiHeadAttention(
            d, d, context_length=cfg["context_length"], num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"]))
        setattr(self, "mlp_body", pc.FeedForward(cfg))

    def _chain(self, half):
        return [getattr(self, f"{half}_{part}") for part in ("norm", "body", "drop")]

    def forward(self, x):
        for half in ("attention", "mlp"):
            out = x
            for layer in self._chain(half):
                out = layer(out)
            x = x.add(out)
        return x
