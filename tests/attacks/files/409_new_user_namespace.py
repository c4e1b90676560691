"""Creates a user namespace to regain rights and a wide kernel surface; right outcome: refused or killed."""
# points: none | verdict: crashed
# honest solution

attempt("clone into a user namespace", lambda: raw(56, 0x10000000 | 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone3", lambda: raw(435, b"\0" * 88, 88) or os._exit(0))
attempt("unshare the user namespace", lambda: raw(272, 0x10000000))
