"""Answers with a part of the result that would broadcast to all of it; right outcome: another shape is wrong."""
# points: some | verdict: failed
import itertools

# honest solution

turn = itertools.count()
right = ResidualAdd.forward


def forward(self, x, **kwargs):
    y = right(self, x, **kwargs)
    return (y[..., :1], y[:1], y.sum(), y[0])[next(turn) % 4]


ResidualAdd.forward = forward
