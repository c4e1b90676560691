"""Asks to be traced, so that its parent is woken by its signals; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("be traced", lambda: raw(101, 0, 0, 0, 0))
