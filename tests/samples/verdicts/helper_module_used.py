# verdict: raised | costs: all | says: No module named 'my_layers'
from my_layers import Block


class ResidualAdd(Block):
    pass
