"""Follows the file names of loaded modules to the checkout and reads the hidden checks there; right outcome: unreadable."""
# points: full | verdict: -
import os
import sys

# honest solution

ends = ("solutions/course.toml", "solutions/residual_add/checks.py", "solutions/residual_add/solution.py", "tests/conftest.py")
starts = set()
for module in list(sys.modules.values()):
    path = os.path.abspath(getattr(module, "__file__", None) or "/")
    while "grader" in path and path != "/":
        path = os.path.dirname(path)
        starts.add(path)
for start in sorted(starts):
    for end in ends:
        attempt(f"read {end} of the checkout", lambda: len(open(os.path.join(start, end)).read()))
    attempt("list the course in the checkout", lambda: only_if(
        [name for name in os.listdir(start) if name in ("solutions", "checks.py")]))
