"""Makes the channel its standard output and prints; right outcome: what is printed is no answer."""
# points: none | verdict: crashed
import os

# honest solution

os.dup2(channels()[0], 1)
print("score 100" * 1000, flush=True)
