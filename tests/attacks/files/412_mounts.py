"""Mounts a file system of its own over the course; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("mount", lambda: raw(165, b"none", f"{CANARY}/none".encode(), b"tmpfs", 0, None))
