"""Has the right gradient and a wrong output; right outcome: output and gradient are both compared."""
# points: some | verdict: failed
# honest solution

right = ResidualAdd.forward


def forward(self, x, **kwargs):
    y = right(self, x, **kwargs)
    return y + (2 * x - y).detach()


ResidualAdd.forward = forward
