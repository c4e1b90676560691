"""Matches a regular expression that takes exponential time; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
import re

# honest solution

re.match("(a+)+$", "a" * 60 + "b")
