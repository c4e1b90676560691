"""Loads a kernel module and another kernel, and restarts the machine; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes

# honest solution

attempt("module", lambda: raw(175, b"nothing", 7, b""))
attempt("module of a file", lambda: raw(313, -1, b"", 0))
attempt("restart with wrong words", lambda: raw(169, 1, 2, 3, None))
