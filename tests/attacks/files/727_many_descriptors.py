"""Opens files, pipes and copies until none is left, and enlarges pipes; right outcome: bounded."""
# points: full | verdict: -
import fcntl
import os

# honest solution


def opened(make):
    kept = []
    try:
        for _ in range(100):
            kept += make()
    except OSError:
        pass
    for number in kept:
        os.close(number)
    return only_if(len(kept) > 128) and len(kept)


attempt("open 100 files", lambda: opened(lambda: [os.open("/dev/null", os.O_RDONLY), os.dup(0)]))
attempt("open 100 pipes", lambda: opened(os.pipe))
attempt("enlarge a pipe", lambda: fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))
