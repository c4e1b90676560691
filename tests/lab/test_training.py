"""The copy task: what is asked, and that nothing but the seed decides."""

import torch
from torch import nn

from grader.sandbox.worker import messages as m
from grader.sandbox.worker.training import CopyModel, drawn_batch, learned

TASK = m.CopyTask(symbols=6, length=4, width=8, batch=8, steps=6, every=3, rate=3e-3)


def test_a_batch_asks_for_the_first_half_again():
    tokens, wanted = drawn_batch(TASK, torch.Generator().manual_seed(1))

    assert tokens.shape == (8, 7)
    assert torch.equal(tokens[:, :4], wanted)
    assert torch.equal(tokens[:, 4:], wanted[:, :3])


def test_a_model_answers_at_each_place_of_the_second_half():
    tokens, wanted = drawn_batch(TASK, torch.Generator().manual_seed(1))

    told = CopyModel([nn.Identity()], TASK, torch.Generator().manual_seed(1))(tokens)

    assert told.shape == (*wanted.shape, 6)


def test_no_place_sees_what_it_is_asked_for():
    """A model without attention looks at each token alone. It would learn if that held the answer."""
    task = m.CopyTask(symbols=6, length=4, width=8, batch=16, steps=60, every=60, rate=3e-2)

    assert learned([nn.Identity()], task, 1)[-1] < 0.5


def test_the_seed_alone_decides():
    def blocks():
        torch.manual_seed(5)
        return [nn.Linear(8, 8)]

    assert learned(blocks(), TASK, 1) == learned(blocks(), TASK, 1)
    assert learned(blocks(), TASK, 1) != learned(blocks(), TASK, 2)


def test_it_is_looked_before_the_first_step_and_then_now_and_then():
    shares = learned([nn.Identity()], TASK, 1)

    assert len(shares) == 3
    assert all(0 <= share <= 1 for share in shares)


def test_blocks_are_trained():
    block = nn.Linear(8, 8)
    before = block.weight.detach().clone()

    learned([block], TASK, 1)

    assert not torch.equal(block.weight, before)
