"""Counts its calls to guess which check runs, and stalls to tell it by time; right outcome: only bounded time is lost."""
# points: any | verdict: any
import time

# honest solution

right, calls = ResidualAdd.forward, []


def forward(self, x, **kwargs):
    calls.append(x.shape)
    time.sleep(0.3 if tuple(x.shape) == (3, 8, 5) else 0.005)
    return right(self, x, **kwargs)


ResidualAdd.forward = forward
