"""Writes small answers without end; right outcome: the first one is taken, the rest ends with the worker."""
# points: none | verdict: any
import os

# honest solution

ahead = 0
while True:
    os.write(channels()[0], frame(protocol().Done(None), ahead))
    ahead = (ahead + 1) % 1000
