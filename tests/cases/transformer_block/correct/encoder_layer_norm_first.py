"""nn.TransformerEncoderLayer with norm_first."""
import torch
from torch import nn


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.layer = nn.TransformerEncoderLayer(d, cfg["n_heads"], 4 * d, p, activation=nn.GELU("tanh"),
                                                batch_first=True, norm_first=True)
        self.layer.self_attn = nn.MultiheadAttention(d, cfg["n_heads"], p, bias=cfg["qkv_bias"], batch_first=True)
        self.layer.dropout = nn.Identity()  # no dropout between the two linear layers
        self.max_tokens = cfg["context_length"]

    def forward(self, x):
        t = x.shape[1]
        assert t <= self.max_tokens
        mask = torch.full((t, t), -torch.inf, device=x.device, dtype=x.dtype).triu(1)
        return self.layer(x, src_mask=mask)
