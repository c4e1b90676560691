"""Loops without end inside one call that Python cannot interrupt; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
import collections
import itertools

# honest solution

collections.deque(itertools.repeat(0), maxlen=0)
