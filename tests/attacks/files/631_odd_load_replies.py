"""Describes the loaded file with facts of every odd kind; right outcome: a verdict, never our fault."""
# points: any | verdict: any
# honest solution

evil = {"present": ["ResidualAdd"], "classes": ["ResidualAdd"] * 1000, "modules": ["ResidualAdd"], "notes": [
    {"kind": "raised", "cell": 5, "line": 1, "text": "<b>" * 500}, {"kind": "syntax", "cell": 2**60, "line": 2**60, "text": "\x1b[2J"},
    {"kind": "absent", "cell": None, "line": 0, "text": "<script>"}, {"kind": "skipped", "cell": 1, "line": 1, "text": "`" * 99}] * 25,
    "forward": {"ResidualAdd": ["../../etc/passwd", 7, 2**62]}}  # fmt: skip
type(own_worker())._describe = lambda self, *args: evil
