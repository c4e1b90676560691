"""Uses x32 call numbers to dodge a filter that compares plain numbers; right outcome: killed."""
# points: none | verdict: crashed
# honest solution

attempt("x32 getpid", lambda: raw(0x40000000 + 39))
