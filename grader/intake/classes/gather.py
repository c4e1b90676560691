"""Puts together what belongs together: paths become hand-ins, and nobody is found by a name."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.intake import archive, names
from grader.intake.classes.layout import Layout, Place
from grader.intake.classes.tree import Entry
from grader.intake.classes.unpacking import FORMATS, INSTALL
from grader.intake.classes.zip_tree import LEADS_OUT, impossible_on_windows
from grader.intake.contents import MOST_FILES
from grader.model.class_handed_in import HandIn, Member, Person
from grader.model.submission import Skipped

_MOST_LISTED = 200
_JUNK_FILES = {"thumbs.db": "made by Windows, holds no code", "desktop.ini": "made by Windows, holds no code"}
_TYPED = ("onlinetext.html", "text.html", "link.html")


@dataclass
class _Draft:
    place: Place
    members: list[Member] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    attention: dict[str, None] = field(default_factory=dict)
    late: bool | None = None
    folded: set[str] = field(default_factory=set)


@dataclass
class Gathered:
    """What was found so far."""

    drafts: dict[tuple[str, str, str], _Draft] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    junk: Counter[str] = field(default_factory=Counter)
    more: int = 0

    def skip(self, path: str, reason: str) -> None:
        """Remember a file that is nobody's; beyond a number they are only counted."""
        if len(self.skipped) < _MOST_LISTED:
            self.skipped.append(Skipped(names.printable(path), reason))
        else:
            self.more += 1

    def listed(self) -> tuple[Skipped, ...]:
        """What is nobody's, and how much more of it there is."""
        more = (Skipped(f"… and {self.more:,} more", "nobody's"),) if self.more else ()
        return (*self.skipped, *more)


def worth_looking_at(entries: Iterable[Entry]) -> dict[Entry, tuple[str, str] | None]:
    """Each entry in the order of the paths, with the path and the reason of the junk that it is or lies in."""
    ordered = sorted(entries, key=lambda entry: (entry.path, entry.number))
    environments = archive.virtual_environments(entry.path for entry in ordered)
    return {entry: archive.junk_folder(entry.path, environments) or _junk_file(entry.path) for entry in ordered}


def gather(looked_at: dict[Entry, tuple[str, str] | None], layout: Layout) -> Gathered:
    """Every entry with the hand-in that it belongs to, or skipped with a reason."""
    gathered = Gathered()
    for entry, junk in looked_at.items():
        if entry.problem == LEADS_OUT:
            gathered.skip(entry.path, entry.problem)
            continue
        place = layout.place(entry.path)
        if junk:
            gathered.junk[junk[1]] += 1
            folder = layout.place(junk[0]) or layout.place(f"{junk[0]}/")
            if place and folder and folder.file:
                _draft(gathered, place).skipped.setdefault(folder.file.rstrip("/"), junk[1])
        elif place:
            _take(entry, place, _draft(gathered, place), layout)
        elif not entry.path.endswith("/") and not layout.ignores(entry.path):
            gathered.skip(entry.path, entry.problem or "no student found in the name")
    return gathered


def hand_ins(gathered: Gathered) -> tuple[HandIn, ...]:
    """The hand-ins of each student in the order of time, the students in the order in which they were found."""
    labels = _labels([draft.place for draft in gathered.drafts.values()])
    students: dict[tuple[str, str], list[_Draft]] = {}
    for draft in gathered.drafts.values():
        students.setdefault((draft.place.key, draft.place.assignment), []).append(draft)
    return tuple(
        _hand_in(draft, number, labels[draft.place.key])
        for drafts in students.values()
        for number, draft in enumerate(sorted(drafts, key=lambda one: one.place.submitted or one.place.attempt), 1)
    )


def clashes(found: Iterable[HandIn]) -> list[str]:
    """Sentences about students who share a name or anything else that should tell them apart."""
    people = {(one.key, person) for one in found if not one.anonymous for person in one.people}
    shared: dict[tuple[str, str], set[str]] = {}
    for key, person in people:
        if person.name:
            shared.setdefault(("name", _folded(person.name)), set()).add(key)
        for known in person.known_as:
            shared.setdefault(("identity", known.casefold()), set()).add(key)
    return [
        f"{names.listed(sorted(keys), most=5)} share the {what} {names.quoted(value)}; they are kept apart."
        for (what, value), keys in sorted(shared.items())
        if len(keys) > 1
    ]


def _draft(gathered: Gathered, place: Place) -> _Draft:
    return gathered.drafts.setdefault((place.key, place.attempt, place.assignment), _Draft(place))


def _take(entry: Entry, place: Place, draft: _Draft, layout: Layout) -> None:
    draft.late = place.late if draft.late is None else draft.late or bool(place.late)
    if place.note:
        draft.notes[place.note] = None
    if not place.file or place.file.endswith("/") or len(draft.members) > MOST_FILES:
        return  # one file too many is kept: whoever reads it hears of it
    if problem := entry.problem or _impossible(entry.path, place, layout):
        draft.skipped[place.file] = problem
        return
    if place.file.casefold() in draft.folded:
        draft.attention[f"{names.quoted(place.file)} is there twice; the first one was read."] = None
    draft.folded.add(place.file.casefold())
    draft.members.append(Member(place.file, entry.path, entry.number))


def _impossible(path: str, place: Place, layout: Layout) -> str:
    """A name that no platform gives; what a student names inside a folder or an archive is another matter."""
    parts = path.split("/")
    own = parts[: len(parts) - place.file.count("/")] if layout.flat else []
    return "name not valid on Windows" if any(impossible_on_windows(part) for part in own) else ""


def _hand_in(draft: _Draft, number: int, label: str) -> HandIn:
    place, files = draft.place, [member.path for member in draft.members]
    attention = list(draft.attention)
    if files and all(file in _TYPED for file in files):
        attention.append("Only text that was typed into the platform was handed in; it is not run.")
    attention += [
        f"{names.quoted(file)} is a {kind.name} archive, which is not opened. "
        f"Ask for a .zip (or install what reads it: {INSTALL})."
        for file in files
        for kind in FORMATS
        if names.suffix(file) == kind.ending and not kind.is_installed()
    ]
    return HandIn(
        key=place.key,
        student=label,
        people=place.people,
        attempt=number,
        submitted=place.submitted,
        late=draft.late,
        members=tuple(draft.members),
        skipped=tuple(Skipped(names.printable(path), reason) for path, reason in draft.skipped.items()),
        notes=tuple(draft.notes),
        attention=tuple(attention),
        anonymous=place.anonymous,
        assignment=place.assignment,
    )


def _labels(places: list[Place]) -> dict[str, str]:
    """What to call each student: the name, with the key behind it where others have the same one."""
    called = {place.key: _called(place.people) for place in places}
    times = Counter(_folded(name) for name in called.values())
    return {
        key: names.printable(name if name and times[_folded(name)] == 1 else f"{name} ({key})" if name else key)
        for key, name in called.items()
    }


def _called(people: tuple[Person, ...]) -> str:
    return " & ".join(person.name or person.id for person in people if person.name or len(people) > 1)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


def _junk_file(path: str) -> tuple[str, str] | None:
    name = path.rpartition("/")[2]
    if name.startswith("._") or name == ".DS_Store":
        return path, names.MADE_BY_MACOS
    if name.startswith("~"):
        return path, "made by an editor, holds no code"
    reason = _JUNK_FILES.get(name.casefold())
    return (path, reason) if reason else None
