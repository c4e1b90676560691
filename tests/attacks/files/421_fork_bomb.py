"""Forks up to 500 children that linger; right outcome: the first fork is refused."""
# points: full | verdict: -
import os
import time

# honest solution


def bomb():
    for _ in range(500):
        if os.fork() == 0:
            time.sleep(2)
            os._exit(0)
    return 500


attempt("fork 500 times", bomb)
