"""Hands back gradients of the wrong number, shape, type and kind; right outcome: a verdict, never our fault."""
# points: some | verdict: any
import itertools

import torch

# honest solution

odd = itertools.cycle([
    [], None, [None], [torch.zeros(3)], [torch.zeros(4, 6, 8, dtype=torch.bool)], ["text"], [1.0], [torch.zeros(4, 6, 8)] * 3,
    [torch.full((4, 6, 8), float("nan"))], torch.zeros(4, 6, 8), {"a": 1}, [[torch.zeros(4, 6, 8)]], [torch.zeros(0)],
    [torch.zeros(4, 6, 8, dtype=torch.int64)], [torch.zeros(4, 6, 8, dtype=torch.float16)],
])  # fmt: skip
backward = type(own_worker()).backward


def lying(self, request):
    done = backward(self, request)
    done.value = self.pack(next(odd))
    return done


type(own_worker()).backward = lying
