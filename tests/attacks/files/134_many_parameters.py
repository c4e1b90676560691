"""Lists five thousand parameters, so that the judge works instead; right outcome: bounded time and memory."""
# points: any | verdict: any
import torch

# honest solution

many = {f"p{number}": torch.nn.Parameter(torch.zeros(8)) for number in range(5_000)}
ResidualAdd.named_parameters = lambda self, *args, **kwargs: iter(many.items())
