import torch.nn as nn

class ResidualAdd(nn.Module:
    def forward(self, x):
        return x
