"""Replaces the channel by a pipe to itself; right outcome: only this worker ends."""
# points: none | verdict: any
import os

# honest solution

reading, writing = os.pipe()
os.write(writing, bytes(1000))
os.dup2(reading, channels()[0])
