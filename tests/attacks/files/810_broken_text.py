"""Writes bytes that are no text, zeros, surrogates and one line of a megabyte; right outcome: shown as far as it can be."""
# points: full | verdict: -
import os
import sys

# honest solution

os.write(1, bytes(range(256)) * 4 + b"\xed\xa0\x80\xf4\x90\x80\x80\xc0\x80\n")
sys.stdout.write("\udcff\ud800\x00" * 100)
print("A" * 1_000_000, flush=True)
