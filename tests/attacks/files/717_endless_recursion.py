"""Overruns the stack by unlimited recursion in C; right outcome: only the worker crashes."""
# points: none | verdict: crashed/timed_out
import sys

# honest solution

sys.setrecursionlimit(10**9)
nest = []
for _ in range(10**6):
    nest = [nest]
repr(nest)
