"""Asks whether running a setuid program would give it that program's rights; right outcome: it would not, or no answer."""
# points: full | verdict: -
# honest solution

attempt("gain rights by running a program", lambda: only_if(raw(157, 39, 0, 0, 0, 0) == 0))
