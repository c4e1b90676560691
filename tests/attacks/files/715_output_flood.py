"""Writes 100 MB to stdout and stderr; right outcome: kept text is cut, the judge's memory does not grow."""
# points: any | verdict: any
import os

# honest solution

line = b"A" * 65536
for _ in range(800):
    os.write(1, line)
    os.write(2, line)
