"""Learns what the kernel shares between it and others with kcmp; right outcome: killed at the first call."""
# points: none | verdict: crashed
import os

# honest solution

attempt("compare with the parent", lambda: raw(312, os.getpid(), os.getppid() or 1, 1, 0, 0))
