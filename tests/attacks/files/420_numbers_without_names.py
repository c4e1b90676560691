"""Tries numbers that are younger than any table, or older than any program; right outcome: none is served."""
# points: full | verdict: -
# honest solution

for number in (*range(470, 700), *range(337, 424), 134, 136, 139, 156, 174, 177, 178, 180, 181, 182, 183, 184, 185,
               212, 214, 215, 236, 100_000, 0x3FFFFFFF):  # fmt: skip
    attempt(f"call number {number}", lambda: raw(number, 0, 0, 0, 0, 0, 0))
