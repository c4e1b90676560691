"""Closes every low descriptor, the channel and the output among them; right outcome: only this worker ends."""
# points: none | verdict: crashed
import os

# honest solution

os.closerange(0, 100)
