# verdict: raised | costs: all | says: Python cannot read your file: SyntaxError: expected ':'
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1)
        super().__init__()
