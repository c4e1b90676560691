"""Multiplies matrices without end, in two threads; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
import torch

# honest solution

torch.set_num_threads(2)
a = torch.ones(1000, 1000)
while True:
    a = a @ a
