"""Outputs for CI systems as they were, and records that strain them."""

import copy
import os
from pathlib import Path

from class_records import Record, sample
from test_hostile_text import COMMANDS, hostile

from reports.ci.findings import Base

GOLDEN = Path(__file__).parents[1] / "golden" / "ci"
EXERCISES = Base("exercises")
STRAINS = [
    *COMMANDS,
    "a%0A::error::x",
    "a\n::error::x",
    "x,line=1,title=y::z",
    "| a | b |\n\n# c\n---\n```\n<img src=http://x> &lt; **d** [e](http://f) www.g.example @h $i$ ~~j~~ \\",
    "</details></testcase><!-- ]]> &#0; &amp;",
    "\x00\x08\ud800\ufffe\U000e0041",
    "",
]


def compare(name: str, made: bytes) -> None:
    """After an intended change: GOLDEN=write pytest tests/reports, and read the diff."""
    golden = GOLDEN / name
    if os.environ.get("GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(made)
    assert made == golden.read_bytes()


def strained(text: str) -> Record:
    """A record with the text in every place that a submission can write to."""
    return hostile(sample("missing_skip"), text)


def many(number: int, length: int = 10, verdict: str = "failed") -> Record:
    """A record of one exercise with so many checks that failed, each with a text of its own of that length."""
    record = sample("missing_skip")
    exercise = record["exercises"][0]
    failed = next(check for check in exercise["checks"] if check["verdict"] == "failed")
    exercise["checks"] = [
        {**copy.deepcopy(failed), "name": f"check_{at}", "formula": None, "verdict": verdict}
        | {"happened": f"{at} {'<' * length}", "expected": "<" * length}
        for at in range(number)
    ]
    return record
