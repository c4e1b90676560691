"""The encoder layer of torch, with the norm first."""

from torch import nn


class ViTEncoderBlock(nn.TransformerEncoderLayer):
    def __init__(self, dim, heads, dropout):
        super().__init__(dim, heads, 4 * dim, dropout, activation="gelu", batch_first=True, norm_first=True)
