"""Changes its root to a folder of its own and climbs out of it; right outcome: killed at the first call."""
# points: none | verdict: crashed
import os

# honest solution

os.mkdir("jail")
attempt("change the root", lambda: raw(161, b"jail"))
attempt("pivot the root", lambda: raw(155, b"jail", b"jail"))
