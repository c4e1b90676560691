# verdict: failed | costs: all but takes_the_arguments, leaves_the_input_alone, registers_the_sublayer, refuses_shapes_that_do_not_match, leaves_global_settings_alone | says: returned an array
from array import array

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        y = x + self.drop(self.sublayer(self.norm(x), **kwargs))
        return array("d", y.flatten().tolist())
