"""Takes open files out of other processes with pidfd_getfd; right outcome: killed at the first call."""
# points: none | verdict: crashed
import os

# honest solution

for pid in (NEIGHBOUR, os.getppid() or 1):
    attempt("open a process", lambda: raw(434, pid, 0))
attempt("take a descriptor", lambda: raw(438, raw(434, NEIGHBOUR, 0), 1, 0))
attempt("take nothing from nobody", lambda: raw(438, -1, 1, 0))
