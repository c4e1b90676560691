"""Sends frames that nest a hundred thousand deep; right outcome: refused, the judge's stack holds."""
# points: none | verdict: crashed
import os

# honest solution

body = b"\x94\xa4done" + b"\x93\xa5items\xa4list\x91" * 50_000 + b"\xc0" + b"\x90\x00"
os.write(channels()[0], head(len(body), 0) + body)
