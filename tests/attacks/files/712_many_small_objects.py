"""Makes small objects, texts and numbers until none is left; right outcome: MemoryError, or stopped by the clock."""
# points: any | verdict: any
# honest solution


def many():
    kept = []
    try:
        for number in range(20_000_000):  # at most 4 GiB
            kept.append({number: str(number)})
    except MemoryError:
        number, kept = len(kept), None
        raise MemoryError(number) from None
    return len(kept)


attempt("make 20 million objects", many)
