"""Opens userfaultfd, which stops the kernel in the middle of a copy; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("userfaultfd", lambda: raw(323, 1))
