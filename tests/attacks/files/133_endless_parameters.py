"""Lists parameters without end; right outcome: stopped by the clock."""
# points: some | verdict: timed_out
import torch

# honest solution


def named_parameters(self, *args, **kwargs):
    number = 0
    while True:
        number += 1
        yield f"p{number}", torch.nn.Parameter(torch.zeros(8))


ResidualAdd.named_parameters = named_parameters
