"""Puts numbers, huge and broken texts among the names of its module and its classes; right outcome: a verdict, never our fault."""
# points: any | verdict: any
# honest solution

for number in range(300):
    globals()[f"\udcff{number}" + "A" * 1000] = type("\udcff" * 100, (), {"__module__": __name__})
globals()[17] = globals()[None] = type("Odd", (), {"__module__": __name__})
globals()["B" * 10_000_000] = type("C" * 10_000_000, (), {"__module__": __name__})
