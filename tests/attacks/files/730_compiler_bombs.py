"""Compiles sources that break parsers: deep brackets, long chains, huge numbers; right outcome: only this worker is hurt."""
# points: any | verdict: any
# honest solution

for source in ("(" * 5_000, "-" * 100_000 + "1", "x" + ".x" * 50_000, "[" * 200 + "]" * 200, "1+" * 50_000 + "1",
               "if 1:\n" + " if 1:\n" * 100, "f'{" * 100, "lambda: " * 10_000 + "1", "9" * 100_000):  # fmt: skip
    try:
        compile(source, "bomb", "exec")
    except BaseException:
        pass
