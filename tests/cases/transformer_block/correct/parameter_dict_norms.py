"""ParameterDict norms with own names, GELU by erf."""
import math
import torch
from torch import nn
from previous_chapters import MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.norm_weights = nn.ParameterDict()
        for i in (1, 2):
            self.norm_weights[f"gamma{i}"] = nn.Parameter(torch.ones(d))
            self.norm_weights[f"beta{i}"] = nn.Parameter(torch.zeros(d))
        self.att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                      dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.dropout = nn.Dropout(cfg["drop_rate"])

    def norm(self, x, i):
        var, mean = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        return (x - mean).div(var.add(1e-5).sqrt()).mul(self.norm_weights[f"gamma{i}"]).add(self.norm_weights[f"beta{i}"])

    @staticmethod
    def gelu(x):
        return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))

    def forward(self, x):
        x = x + self.dropout(self.att(self.norm(x, 1)))
        x = x + self.dropout(self.down(self.gelu(self.up(self.norm(x, 2)))))
        return x
