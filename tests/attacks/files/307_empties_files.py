"""Empties and cuts files by calls that need no right to write on older kernels; right outcome: every byte is still there."""
# points: full | verdict: -
import os

# honest solution

for target in (f"{CANARY}/grades/results.json", f"{CANARY}/hidden/course.toml"):
    attempt("open for reading, truncating", lambda: os.open(target, os.O_RDONLY | os.O_TRUNC))
    attempt("access mode 3, truncating", lambda: os.open(target, 3 | os.O_TRUNC))
    attempt("open for writing, truncating", lambda: os.open(target, os.O_WRONLY | os.O_TRUNC))
    attempt("truncate", lambda: os.truncate(target, 1))
    attempt("truncate by call", lambda: raw(76, target.encode(), 1))
    attempt("ftruncate of a read-only file", lambda: raw(77, os.open(target, os.O_RDONLY), 0))
    attempt("punch a hole", lambda: raw(285, os.open(target, os.O_RDWR), 3, 0, 10))
    attempt("copy over it", lambda: os.copy_file_range(
        os.open("/dev/zero", os.O_RDONLY), os.open(target, os.O_WRONLY), 10))
    attempt("send over it", lambda: os.sendfile(os.open(target, os.O_WRONLY), os.open(__file__, os.O_RDONLY), 0, 10))
    attempt("map it for writing", lambda: __import__("mmap").mmap(os.open(target, os.O_RDWR), 0))
