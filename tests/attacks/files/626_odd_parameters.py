"""Lists parameters and gradients that are none: wrong names, kinds, sizes and numbers; right outcome: a verdict, never our fault."""
# points: some | verdict: any
import itertools

import torch

# honest solution

listed = itertools.cycle([
    {"a": 1}, {}, {"norm.weight": torch.zeros(8, dtype=torch.int64)}, {"\x00<b>": torch.zeros(8)}, {"x": None},
    {"w": torch.full((8,), float("nan"))}, {"w": torch.zeros(8, dtype=torch.bool)}, {"w": torch.zeros(0)},
    {"w": torch.tensor(1.0)}, {"w": torch.zeros(8).to_sparse()}, {"w": torch.zeros(8, device="meta")},
    {str(n): torch.zeros(8) for n in range(50)}, {"w" * 400: torch.zeros(8)}, {"w": torch.zeros(8, dtype=torch.complex64)},
])  # fmt: skip


class Named:
    def __init__(self, value):
        self.value = value

    def detach(self):
        return self.value

    def numel(self):
        return 8

    grad = property(lambda self: self.value)


ResidualAdd.named_parameters = lambda self, *args, **kwargs: iter([(k, Named(v)) for k, v in next(listed).items()])
