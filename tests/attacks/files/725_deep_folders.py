"""Makes folders in folders, deeper than a path can say and a recursion can follow; right outcome: all of it is removed."""
# points: any | verdict: any
import os

# honest solution

own = os.open(".", os.O_RDONLY)
try:
    for _ in range(5_000):
        os.mkdir("d")
        os.chdir("d")
except OSError:
    pass
os.fchdir(own)
