"""Unpacks a few kilobytes into gigabytes; right outcome: MemoryError."""
# points: full | verdict: -
import zlib

# honest solution

packed = zlib.compress(bytes(16 << 20), 1)
attempt("unpack 2 GiB", lambda: len(b"".join([zlib.decompress(packed) for _ in range(128)])))
attempt("multiply a text", lambda: len("x" * (4 << 30)))
attempt("pad a number", lambda: len(f"{1:>{4 << 30}}"))
attempt("shift a number", lambda: (1 << (32 << 30)).bit_length())
