"""Enters the namespaces of a neighbour; right outcome: killed at the first call."""
# points: none | verdict: crashed
import os

# honest solution

attempt("open a namespace", lambda: os.open(f"/proc/{NEIGHBOUR}/ns/mnt", os.O_RDONLY))
attempt("enter namespaces of a process", lambda: raw(308, raw(434, NEIGHBOUR, 0), 0x20000))
attempt("enter nothing", lambda: raw(308, -1, 0))
