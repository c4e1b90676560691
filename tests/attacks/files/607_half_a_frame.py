"""Announces a frame, writes half of it and waits; right outcome: the time of the check ends it."""
# points: none | verdict: timed_out
import os
import time

# honest solution

os.write(channels()[0], head(1000, 0) + bytes(500))
time.sleep(1000)
