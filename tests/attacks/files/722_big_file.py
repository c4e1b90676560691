"""Writes one file larger than the limit, in one piece, with holes and through a mapping; right outcome: refused."""
# points: full | verdict: -
import mmap
import os

# honest solution


def write(size):
    with open("big", "wb") as file:
        for _ in range(size >> 20):
            file.write(b"x" * (1 << 20))
    return os.path.getsize("big")


def holes(size):
    with open("holes", "wb") as file:
        file.seek(size)
        file.write(b"x")
    return os.path.getsize("holes")


attempt("write 64 MiB", lambda: write(64 << 20))
attempt("write behind a hole", lambda: holes(1 << 40))
attempt("lengthen a file", lambda: os.truncate("holes", 1 << 30))
attempt("lengthen an open file", lambda: os.ftruncate(os.open("holes", os.O_RDWR), 1 << 30))
attempt("reserve space", lambda: os.posix_fallocate(os.open("holes", os.O_RDWR), 0, 1 << 30))
attempt("map a large file", lambda: mmap.mmap(os.open("holes", os.O_RDWR), 1 << 30))
