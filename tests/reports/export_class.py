"""A small class to export, and the files that its LMSs hand out. Invented people."""

import os
from dataclasses import replace
from pathlib import Path

from reports.export.rows import CheckRow, ExerciseRow, Row, Who
from reports.lateness import Kept

GOLDEN = Path(__file__).parents[1] / "golden" / "export"

AMARA = Who("48213", "canvas", "Oduya, Amara", "aoduya", "aoduya@example.edu", "20260017")
JISOO = Who("48250", "canvas", "Park, Ji-soo", "jpark", "jpark@example.edu", "20260019")
FORMULA = Who("48220", "canvas", '=HYPERLINK("http://x")', "=brennan", "b@example.edu", "20260021")
MANS = Who("48231", "canvas", "Lindqvist, Måns", "mlind", "mlind@example.edu", "20260022")
SILVA = Who("48251", "canvas", "Silva-Rocha, Inês", "isilva", "isilva@example.edu", "20260023")
ZOE = Who("48260", "canvas", 'Zoë "Zo" Adé; =1+1', "zade", "zade@example.edu", "20260024")
MOODLE = {AMARA: "771204", JISOO: "771207", FORMULA: "771219", MANS: "771222", SILVA: "771230", ZOE: "771231"}
GRADES = {AMARA: 4.5, JISOO: 10.0, FORMULA: 1.8, ZOE: 9.99}  # what has to arrive; two of the six have no grade

_CHECKS = (("keeps_the_shape", 2.0), ("adds_the_input_back", 5.0), ("gradient_reaches_the_input", 3.0))
_LATE = Kept(1.8, 10.0, "1 day late, each started day counted, 10 % each: 10 % of 2 points are taken off, 1.8 remain.")


def exercise(*points: float | None, verdict: str = "") -> ExerciseRow:
    """`residual_add` with these points for its checks; None for one that could not be graded."""
    checks = []
    for (name, most), earned in zip(_CHECKS, points, strict=True):
        ended = "grader_error" if earned is None else "passed" if earned == most else "partial" if earned else "failed"
        title = f"The block {name.replace('_', ' ')}."
        tag = "missing-skip" if ended == "failed" else ""
        checks.append(CheckRow(name, title, ended, earned, most, tag, "y is F(Norm(x))." if tag else ""))
    if verdict:
        checks[-1] = replace(checks[-1], verdict=verdict)
    total = None if None in points else sum(points)
    step = "" if total == 10 else "Add the block's own input, <before> the norm."
    return ExerciseRow("residual_add", "Residual connection", total, 10.0, tuple(checks), step)


def row(who: Who, *points: float | None, verdict: str = "", attempt: int = 1) -> Row:
    made = exercise(*points, verdict=verdict)
    page = f"<p>{who.key}</p>".encode()
    return Row(who, 10.0, made.points, made.points, (made,), attempt, "2026-09-14T23:51:00+02:00", page=lambda: page)


def class_of_six(platform: str = "canvas") -> list[Row]:
    """Graded, full marks, late with a name that is a formula, not graded, nothing handed in, nearly full marks."""
    rows = [
        replace(row(AMARA, 2.0, 2.5, 0.0, attempt=3), sources=("oduyaamara_48213_9100417_block.py",)),
        replace(row(JISOO, 2.0, 5.0, 3.0), sources=("parkjisoo_48250_text.html", "parkjisoo_48250_9100500_b.py")),
        replace(row(FORMULA, 2.0, 0.0, 0.0), points=1.8, late=_LATE, sources=("x_LATE_48220_9100533_block-1.py",)),
        row(MANS, 2.0, None, 3.0),
        Row(SILVA, 10.0),
        replace(row(ZOE, 2.0, 5.0, 2.999, verdict="needs_review"), points=9.999, sources=("zoë_48260_77_b.py",)),
    ]
    return rows if platform == "canvas" else [replace(one, who=in_moodle(one.who), sources=()) for one in rows]


def in_moodle(who: Who) -> Who:
    return replace(who, key=MOODLE[who], platform="moodle-folders")


CANVAS_HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Lab 1 (331100),Lab 2: Residual (331207),Current Score"
)
CANVAS_EXPORT = (
    f"{CANVAS_HEADER}\r\n"
    ",,,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,(read only),5.00,10.00,(read only)\r\n"
    '"Oduya, Amara",48213,20260017,aoduya,CS7-01,"says ""hi"", twice",4.00,,80.00\r\n'
    '"Park, Ji-soo",48250,20260019,jpark,CS7-01 and CS7-02,,,3.00,\r\n'
    '"=""=HYPERLINK(""""http://x"""")""",48220,20260021,=brennan,CS7-01,,EX,,\r\n'
    '"Lindqvist, Måns",48231,20260022,mlind,CS7-01,,5.00,7.00,\r\n'
    '"Silva-Rocha, Inês",48251,20260023,isilva,CS7-01,,,,\r\n'
    '"Zoë ""Zo"" Adé; =1+1",48260,20260024,zade,CS7-01,,,,\r\n'
    '"Student, Test",48299,,a1b2c3,CS7-01,,,,\r\n'
).encode()

MOODLE_HEADER = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Online text,Last modified (grade),Feedback comments"
)
_HANDED_IN = 'Submitted for grading - Not graded,{grade},10.00,Yes,"Monday, 14 September 2026, 11:51 PM",,-,'
MOODLE_WORKSHEET = (
    f"{MOODLE_HEADER}\n"
    f'Participant 771204,"Oduya, Amara",aoduya@example.edu,{_HANDED_IN.format(grade="")}\n'
    f'Participant 771207,"Park, Ji-soo",jpark@example.edu,{_HANDED_IN.format(grade="3.00")}Good start\n'
    f'Participant 771219,"=HYPERLINK(""http://x"")",b@example.edu,{_HANDED_IN.format(grade="")}\n'
    f'Participant 771222,"Lindqvist, Måns",mlind@example.edu,{_HANDED_IN.format(grade="7.00")}\n'
    'Participant 771230,"Silva-Rocha, Inês",isilva@example.edu,No submission,,10.00,Yes,-,,-,\n'
    f'Participant 771231,"Zoë ""Zo"" Adé; =1+1",zade@example.edu,{_HANDED_IN.format(grade="")}\n'
).encode()


def compare(name: str, made: bytes) -> None:
    """After an intended change: GOLDEN=write pytest tests/reports, and read the diff."""
    golden = GOLDEN / name
    if os.environ.get("GOLDEN") == "write":
        golden.write_bytes(made)
    assert made == golden.read_bytes()
