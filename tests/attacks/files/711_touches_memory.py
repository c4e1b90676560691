"""Touches memory in small steps up to the limit, so that the machine might run out first; right outcome: MemoryError."""
# points: any | verdict: any
# honest solution

blocks = []


def touch():
    for _ in range(512):  # at most 2 GiB
        blocks.append(bytearray(b"x") * (4 << 20))
    return len(blocks)


attempt("touch 2 GiB", touch)
blocks.clear()
