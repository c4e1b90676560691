"""The sum lives in an own base class, the parts in the subclass."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class PreNormHalves(nn.Module):
    def halves(self):
        raise NotImplementedError

    def forward(self, x):
        for norm, sublayer, drop in self.halves():
            x = x + drop(sublayer(norm(x)))
        return x


class TransformerBlock(PreNormHalves):
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

    def halves(self):
        yield self.norm1, self.att, self.drop_shortcut
        yield self.norm2, self.ff, self.drop_shortcut
