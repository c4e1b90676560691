"""Answers byte by byte, each in time, for ever; right outcome: one deadline for the whole answer."""
# points: none | verdict: timed_out
import os
import time

# honest solution

os.write(channels()[0], head(1_000_000, 1_000_000))
while True:
    os.write(channels()[0], b"\xc0")
    time.sleep(0.01)
