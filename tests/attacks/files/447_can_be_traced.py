"""Leaves itself open to neighbours of the same user, who could read the judge's questions; right outcome: it cannot be traced."""
# points: full | verdict: -
# honest solution

attempt("be traced by neighbours", lambda: only_if(raw(157, 3, 0, 0, 0, 0)))
attempt("be traced from now on", lambda: raw(157, 4, 1, 0, 0, 0))
