"""A record in a terminal, or in the file or pipe in its place: then 100 columns, no styles, nothing left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.page import Card, CheckView, ExerciseView, FormulaView, Piece, VerdictView
from reports.student.view import confinement_level, student_view
from reports.text import line, log_row, without_commands
from reports.words import count, say, words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PIPED_WIDTH = 100
_NARROWEST = 24
_LABELS = ("computes", "right_formula", "happened", "expected", "where", "next")
_STYLES = {
    "passed": "green",
    "partial": "yellow",
    "failed": "red",
    "not_run": "dim",
    "needs_review": "yellow",
    "grader_error": "magenta",
}


def show(record: dict[str, Any], console: Console, *, page: str | None, quiet: bool = False) -> None:
    """Print the results; `page` is where the HTML page was written.

    Quiet leaves the last line, the total, and what is not in it.
    """
    sheet, view = _Sheet(console), student_view(record)
    if not quiet:
        for exercise in view.exercises:
            _exercise(sheet, exercise)
        for name in (name for names in view.skipped for name in names):
            sheet.put(_Line(say("console.skipped", file=name), style="dim"))
        if confinement_level(record["environment"]) == "practice":
            sheet.put(_Line(say("console.practice"), style="dim"))
        if page is not None:
            sheet.put(_Line(line(page, 1000), lead=f"{say('console.page')}  "))
    shown = count("checks", sum(len(exercise["checks"]) for exercise in record["exercises"]))
    for kind in ("held_back", "at_deadline"):
        if held := record["course"].get(kind, 0):
            sheet.put(_Line(say(f"console.{kind}", shown=shown, held=held)))
    score = say("console.score", points=view.points, max=view.max_points)
    sheet.put(_Line(score, lead=f"{say('console.total')}  ", style="bold"))


def _exercise(sheet: _Sheet, exercise: ExerciseView) -> None:
    score = say("console.score", points=exercise.points, max=exercise.max_points)
    title = " · ".join([exercise.title, *exercise.optional])
    sheet.put(_Line(title, lead=f"{exercise.name}  {score}   ", lead_style="bold"))
    for remark in exercise.remarks:
        sheet.put(_Line(remark, indent=2, style="dim"))
    _checks(sheet, exercise)
    for card in exercise.cards:
        sheet.blank()
        for label, text in _diagnosis(card):
            sheet.put(_Line(text, lead=_padded(label), indent=2, lead_style="dim"))
    for note in exercise.notes:
        sheet.put(_Line(note, indent=2))
    sheet.blank()


def _checks(sheet: _Sheet, exercise: ExerciseView) -> None:
    """One line per check; checks that did not run for the same reason share one line, and the reason is said once."""
    rows = [(row.verdict, row.title, row.score, _reasons(row) if exercise.quiz else ()) for row in exercise.checks
            if not row.grouped]  # fmt: skip
    rows += [(group.verdict, group.checks, group.score, ()) for group in exercise.groups]
    word = max((len(verdict.word) for verdict, *_ in rows), default=0)
    column = max((sheet.cells(title) for _, title, *_ in rows), default=0)
    for verdict, title, score, reasons in rows:
        lead = f"{sheet.sign(verdict)} {verdict.word:{word}}  "
        style = _STYLES.get(verdict.kind, "red")
        sheet.put(_Line(title, lead=lead, indent=2, lead_style=style, trail=score, column=column))
        for reason in reasons:
            sheet.put(_Line(reason, indent=6))
    for reason in (reason for group in exercise.groups for reason in group.reasons):
        sheet.put(_Line(reason, indent=4))


def _reasons(row: CheckView) -> tuple[str, ...]:
    """Why an answer is wrong: one question has nothing to do with the other, so each has its own."""
    facts = (fact for told in row.why for fact in told.facts)
    return tuple(fact.value for fact in facts if fact.label == say("page.happened"))


def _diagnosis(card: Card) -> Iterator[tuple[str, str]]:
    """The aligned lines: formula beside formula where there is one, else what happened beside what was expected."""
    told = card.explanation
    facts = {fact.label: fact.value for fact in told.facts}
    happened, expected = facts.get(say("page.happened")), facts.get(say("page.expected"))
    for formula in told.formulas:
        yield say("console.right_formula" if formula.right else "console.computes"), _found(formula)
        if not formula.right:
            expected = _joined(formula.expected)
    if happened and not any(formula.known and _joined(formula.found) in happened for formula in told.formulas):
        yield say("console.happened"), happened
    if expected:
        yield say("console.expected"), expected
    for place in told.places:
        code = [say("console.where_code", place=place.name, code=code) for code in place.code]
        yield say("console.where"), code[0] if code else place.name
    for step in card.next_steps:
        yield say("console.next"), step


def _found(formula: FormulaView) -> str:
    found = _joined(formula.found)
    return say("formula.in_half", formula=found, half=formula.halves[0]) if formula.halves else found


def _joined(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.plain + "".join(piece.marked) for piece in pieces)


def _padded(label: str) -> str:
    return label.ljust(3 + max(len(say(f"console.{name}")) for name in _LABELS))


@dataclass(frozen=True)
class _Line:
    """`lead`, then `text`, whose further lines begin below its first; `trail` follows at least `column` cells on."""

    text: str
    lead: str = ""
    indent: int = 0
    style: str = ""
    lead_style: str = ""
    trail: str = ""
    column: int = 0


@dataclass(frozen=True)
class _Sheet:
    """Where lines are put. Text is never read as rich markup, and what the encoding lacks is shown as its number.

    The output may be the log of a CI system, which takes some lines for commands to itself: none is let through.
    """

    console: Console

    def sign(self, verdict: VerdictView) -> str:
        fits = self._fit(verdict.sign) == verdict.sign
        return verdict.sign if fits else words()["plain_sign"][verdict.kind]

    def cells(self, text: str) -> int:
        from rich.cells import cell_len

        return cell_len(self._fit(text))

    def blank(self) -> None:
        self.console.print()

    def put(self, entry: _Line) -> None:
        lead = " " * entry.indent + entry.lead
        left, after = self.cells(lead), f"  {entry.trail}" if entry.trail else ""
        width = self.console.width if self.console.is_terminal else PIPED_WIDTH
        room = max(_NARROWEST, width - left - self.cells(after))
        for at, part in enumerate(self._text(entry.text, entry.style).wrap(self.console, room, overflow="fold")):
            part.rstrip()
            guard = log_row(part.plain).removesuffix(part.plain) if at or not entry.lead else ""
            row = self._text((" " * left if at else lead) + guard, entry.lead_style) + part
            if after and not at:
                row.pad_right(max(0, min(entry.column, room) - part.cell_len))
                row.append(after)
            row.rstrip()
            self.console.print(row, soft_wrap=True)

    def _text(self, text: str, style: str) -> Text:
        from rich.text import Text

        plain = self.console.no_color or not self.console.is_terminal
        return Text(self._fit(text), style="" if plain else style)

    def _fit(self, text: str) -> str:
        encoding = self.console.encoding
        return without_commands(text).encode(encoding, "backslashreplace").decode(encoding)
