"""Answers right while threads spin beside it and rewrite its results; right outcome: only its own time is spent."""
# points: any | verdict: any
import threading

# honest solution

right, given = ResidualAdd.forward, []


def forward(self, x, **kwargs):
    y = right(self, x, **kwargs)
    given.append(y)
    return y


def rewrite():
    while True:
        for y in given[-3:]:
            y.data.add_(1)


ResidualAdd.forward = forward
for _ in range(3):
    threading.Thread(target=rewrite, daemon=True).start()
