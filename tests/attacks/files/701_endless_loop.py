"""Spins forever while it is loaded; right outcome: stopped by the clock, no points."""
# points: none | verdict: timed_out
# honest solution

while True:
    pass
