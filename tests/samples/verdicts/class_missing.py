# verdict: not_run | costs: all | says: does not define the class `ResidualAdd`
from torch import nn


def residual_add(x, sublayer):
    return x + sublayer(nn.LayerNorm(x.shape[-1])(x))
