"""Switches process accounting, swap and quotas; right outcome: killed at the first call."""
# points: none | verdict: crashed
# honest solution

attempt("accounting", lambda: raw(163, f"{CANARY}/none".encode()))
attempt("swap", lambda: raw(167, f"{CANARY}/none".encode(), 0))
attempt("quota", lambda: raw(179, 0, f"{CANARY}/none".encode(), 0, None))
