"""Removes, renames and exchanges folders that are not its own; right outcome: all of them stay."""
# points: full | verdict: -
import os
import shutil

# honest solution

os.mkdir("mine")
attempt("remove the hidden checks", lambda: shutil.rmtree(f"{CANARY}/hidden"))
attempt("remove what was handed in", lambda: shutil.rmtree(f"{CANARY}/submissions"))
attempt("rename the grades", lambda: os.rename(f"{CANARY}/grades", f"{CANARY}/old"))
attempt("take the grades away", lambda: os.rename(f"{CANARY}/grades", "grades"))
attempt("exchange", lambda: raw(316, -100, b"mine", -100, f"{CANARY}/grades".encode(), 2))
attempt("renameat", lambda: raw(264, -100, b"mine", -100, f"{CANARY}/mine".encode()))
attempt("unlinkat", lambda: raw(263, -100, f"{CANARY}/grades/results.json".encode(), 0))
attempt("rmdir", lambda: os.rmdir(f"{CANARY}/submissions/ada"))
attempt("move in", lambda: shutil.move("mine", f"{CANARY}/grades/mine"))
