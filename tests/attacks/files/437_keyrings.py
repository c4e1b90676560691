"""Hides a key in the kernel's keyrings, where the next submission could find it; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("add a key", lambda: raw(248, b"user", MARK.encode(), b"x", 1, -4))
