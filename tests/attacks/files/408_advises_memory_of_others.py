"""Throws the memory of others out with process_madvise; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("advise on another's memory", lambda: raw(440, -1, None, 0, 21, 0))
