"""Asks for mount, process, network and time namespaces of its own; right outcome: refused or killed."""
# points: none | verdict: crashed
import os

# honest solution

for flag in (0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000, 0x80):
    attempt("clone into a namespace", lambda: raw(56, flag | 17, 0, 0, 0, 0) or os._exit(0))
attempt("unshare the mount namespace", lambda: raw(272, 0x20000))
