"""Returns a small tensor that claims a large shape and foreign memory; right outcome: only its own numbers travel."""
# points: some | verdict: failed/raised
import torch
from torch import nn


class Large(torch.Tensor):
    shape = property(lambda self: torch.Size([2, 5, 8]))
    dtype = property(lambda self: torch.float64)
    requires_grad = True

    def size(self, *args):
        return torch.Size([2, 5, 8])

    def dim(self):
        return 3

    def numel(self):
        return 10_000_000

    def data_ptr(self):
        return 4096

    def detach(self):
        return self

    def contiguous(self, *args, **kwargs):
        return self

    def is_contiguous(self, *args, **kwargs):
        raise SystemExit

    __torch_function__ = torch._C._disabled_torch_function_impl


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return torch.zeros(1).as_subclass(Large)
