"""Draws with the seed of its own process what the judge may draw for its hidden inputs; right outcome: nothing of it comes."""
# points: full | verdict: -
import random

import torch

# honest solution

right = ResidualAdd.forward
guesses = set()


def numbers(generator):
    return {round(v, 9) for n in (160, 192, 240, 20000) for v in torch.randn(n, generator=generator)[:4].tolist()}


def forward(self, x, **kwargs):
    if not guesses:
        seed = torch.initial_seed()
        for start in (seed, seed + 1, seed - 1, seed ^ 1, seed >> 32, seed & 0xFFFFFFFF):
            guesses.update(numbers(torch.Generator().manual_seed(start)))
            guesses.update(random.Random(start).gauss(0, 1) for _ in range(4))
    found = [v for v in x.flatten()[:4].tolist() if round(v, 9) in guesses]
    if found:
        attempt("predict a hidden input", lambda: found)
    return right(self, x, **kwargs)


ResidualAdd.forward = forward
