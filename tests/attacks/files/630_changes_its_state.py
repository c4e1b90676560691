"""Answers questions about its state with values of every odd kind; right outcome: a verdict, never our fault."""
# points: some | verdict: any
import itertools

import torch

# honest solution

odd = itertools.cycle([None, -1, 10**400, float("nan"), "text", [1], object(), torch.zeros(2), {}, True])
torch.initial_seed = lambda: next(odd)
torch.get_default_dtype = lambda: next(odd)
torch.is_grad_enabled = lambda: next(odd)
