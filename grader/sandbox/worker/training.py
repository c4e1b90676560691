"""Training a stack of blocks on the copy task: the second half of each sequence repeats the first.

To get a token right, a block must find the one `length` places back: that needs attention, and nothing else does it.
The same seed gives the same embeddings, batches and questions to whatever blocks are trained.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from . import messages as m

SPREAD = 0.1  # of embeddings at the start
QUESTIONS = 4  # batches by which is looked what was learned


class CopyModel(nn.Module):
    """Embeddings of symbols and places, the blocks one after the other, a norm, and a linear layer for each symbol."""

    def __init__(self, blocks: Sequence[nn.Module], task: m.CopyTask, chance: torch.Generator) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

        def drawn(rows: int, spread: float) -> nn.Parameter:
            return nn.Parameter(torch.empty(rows, task.width).normal_(0, spread, generator=chance))

        self.symbols, self.places = drawn(task.symbols, SPREAD), drawn(2 * task.length - 1, SPREAD)
        self.norm = nn.LayerNorm(task.width)
        self.out = drawn(task.symbols, task.width**-0.5)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Tokens (batch, 2·length - 1) to a number for each symbol at each place that repeats one."""
        x = self.symbols[tokens] + self.places
        for block in self.blocks:
            x = block(x)
        first = (tokens.shape[1] - 1) // 2
        told: torch.Tensor = self.norm(x[:, first:]) @ self.out.T
        return told


def drawn_batch(task: m.CopyTask, chance: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """What the model sees, and what it should say at each place of the second half."""
    half = torch.randint(task.symbols, (task.batch, task.length), generator=chance)
    return torch.cat([half, half[:, :-1]], 1), half


def learned(blocks: Sequence[nn.Module], task: m.CopyTask, seed: int) -> list[float]:
    """The share of symbols that are repeated right, before the first step and then after each `task.every` steps."""
    chance = torch.Generator().manual_seed(seed)
    model = CopyModel(blocks, task, chance)
    questions = [drawn_batch(task, chance) for _ in range(QUESTIONS)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=task.rate)
    shares = [_share(model, questions)]
    for step in range(1, task.steps + 1):
        tokens, wanted = drawn_batch(task, chance)
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(tokens).flatten(0, 1), wanted.flatten()).backward()
        optimiser.step()
        if step % task.every == 0:
            shares.append(_share(model, questions))
    return shares


def _share(model: CopyModel, questions: Sequence[tuple[torch.Tensor, torch.Tensor]]) -> float:
    with torch.no_grad():
        return sum(float((model(tokens).argmax(-1) == wanted).float().mean()) for tokens, wanted in questions) / len(
            questions
        )
