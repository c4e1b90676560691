"""Raises hostile texts while it is loaded and misses packages with hostile names; right outcome: inert remarks, full points."""
# points: full | verdict: -
# honest solution

raise ValueError("<script>alert(1)</script>\x1b[2J\u202e [red]x[/red]")
raise ModuleNotFoundError("x", name="<img src=x onerror=alert(1)>\x1b[31m::error::")
raise type("<b>\x07", (Exception,), {})("::error::x")
raise ModuleNotFoundError("x", name="A" * 100_000)
exec("def broken(:\n", {})
