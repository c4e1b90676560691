"""Keeps memory in files: in memory, in shared memory, in its folder; right outcome: less than the memory limit in all."""
# points: full | verdict: -
import os

# honest solution

block = b"x" * (1 << 20)


def fill(make):
    """At most 640 MiB, in files of 16."""
    total, files = 0, []
    try:
        for number in range(40):
            files.append(make(number))
            for _ in range(16):
                total += os.write(files[-1], block)
    except OSError:
        pass
    for file in files:
        os.ftruncate(file, 0)
        os.close(file)
    return only_if(total > 512 << 20) and total >> 20


attempt("fill memfds", lambda: fill(lambda number: os.memfd_create(str(number))))
attempt("fill shared memory", lambda: fill(lambda number: os.open(f"/dev/shm/{MARK}-{number}", os.O_RDWR | os.O_CREAT)))
attempt("fill temporary files", lambda: fill(lambda number: os.open("/tmp", os.O_RDWR | os.O_TMPFILE)))
