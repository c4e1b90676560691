"""__call__ is overridden, forward takes *inputs."""
from torch import nn
from previous_chapters import *
from previous_chapters import LayerNorm as LN


class TransformerBlock(nn.Module):
    def __init__(self, cfg, *ignored, layer_index=None, **more):
        super().__init__()
        self.layer_index = layer_index
        cfg = {**cfg, **more}
        self.a = MultiHeadAttention(cfg["emb_dim"], cfg["emb_dim"], cfg["context_length"],
                                    num_heads=cfg["n_heads"], dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.f = FeedForward(cfg)
        self.l1, self.l2, self.d = LN(cfg["emb_dim"]), LN(cfg["emb_dim"]), nn.Dropout(cfg["drop_rate"])

    def __call__(self, *inputs, **kwargs):
        return self.forward(*inputs, **kwargs)

    def forward(self, *inputs, x=None):
        if inputs:
            x, = inputs
        x = x + self.d(self.a(self.l1(x)))
        x = x + self.d(self.f(self.l2(x)))
        return x
