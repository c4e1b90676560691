"""Leaves marks (files, memory, environment, modules) for a later run to find; right outcome: none is found."""
# points: full | verdict: - | runs: 2
import os
import sys
import tempfile

import torch

# honest solution

places = {os.path.realpath(p) for p in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), ".", "..")}
found = [place for place in sorted(places) if os.path.exists(f"{place}/{MARK}")]
for place in places:
    try:
        open(f"{place}/{MARK}", "w").close()
    except OSError:
        pass
if getattr(torch, "_mark", False) or "GRADE_MARK" in os.environ or hasattr(sys, "_mark"):
    found.append("memory")
torch._mark = sys._mark = True
os.environ["GRADE_MARK"] = "1"
attempt("find an earlier mark", lambda: only_if(found))
