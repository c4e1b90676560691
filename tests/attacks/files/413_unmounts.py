"""Unmounts what the container mounted, to see what lies below; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("unmount", lambda: raw(166, f"{CANARY}/none".encode(), 2))
