"""Searches and joins keyrings of the session; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("read the session's keyring", lambda: raw(250, 6, -3, 0, 0, 0))
