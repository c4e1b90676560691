"""Answers with sparse, nested, quantised, conjugated and mkldnn tensors; right outcome: refused or wrong, never our fault."""
# points: some | verdict: failed/raised
import itertools
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
makers = [
    lambda x: x.to_sparse(),
    lambda x: x.reshape(-1, x.shape[-1]).to_sparse_csr(),
    lambda x: torch.nested.nested_tensor([x, x[..., :1]]),
    lambda x: torch.quantize_per_tensor(x.float(), 0.1, 0, torch.qint8),
    lambda x: torch.complex(x, x).conj(),
    lambda x: torch.complex(x, x).conj().imag,
    lambda x: x.float().to_mkldnn(),
    lambda x: x.refine_names(*(None,) * x.dim()),
    lambda x: torch.nn.Buffer(x),
    lambda x: torch.nn.UninitializedParameter(),
    lambda x: x.view(torch.uint8),
    lambda x: x.to(torch.float8_e4m3fn),
]
turn = itertools.count()


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return makers[next(turn) % len(makers)](x)
