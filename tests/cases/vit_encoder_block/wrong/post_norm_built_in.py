"""The encoder layer of torch as it comes."""

from torch import nn


class ViTEncoderBlock(nn.TransformerEncoderLayer):
    def __init__(self, dim, heads, dropout):
        super().__init__(dim, heads, 4 * dim, dropout, activation="gelu", batch_first=True)
