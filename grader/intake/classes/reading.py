"""A class from a download: names first, the bytes of one hand-in when it is its turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType

from grader.errors import IntakeError, UsageError
from grader.intake import names
from grader.intake.classes.commits import last_commit
from grader.intake.classes.filling import Filling
from grader.intake.classes.folder_tree import FolderTree
from grader.intake.classes.gather import clashes, gather, hand_ins, worth_looking_at
from grader.intake.classes.layout import Listing
from grader.intake.classes.recognise import recognised
from grader.intake.classes.tree import Entry, Tree, Unreadable, read
from grader.intake.classes.zip_tree import ZipTree
from grader.intake.contents import Contents
from grader.model.class_handed_in import ClassHandedIn, HandIn

MOST_ENTRIES = 200_000
MOST_BYTES = 64 << 30
_MOST_BYTES_OF_TABLE = 4 << 20
_KINDS = "a .zip as the learning platform makes it, or a folder"
_CHANGED = "The class changed while it was being read. Please run the command again."


def read_class(path: Path, *, layout: str | None = None, pattern: str | None = None) -> ClassHandedIn:
    """Who handed in what, by the names of the files; of their bytes only the platform's own tables are read.

    `layout` (a name of `LAYOUTS`) and `pattern` (with nbgrader's group names) say how to read the names.

    Raises:
        UsageError: there is no such path or layout, or the pattern cannot be used.
        IntakeError: it cannot be read, or holds too much.
    """
    with closing(_opened(path)) as tree:
        looked_at = worth_looking_at(tree.entries())
        kept = {entry.path: entry for entry, junk in looked_at.items() if not junk and not entry.problem}
        root = path.resolve().name.removesuffix(path.suffix if path.is_file() else "")
        listing = Listing(
            names.local_name(root),
            tuple(kept),
            lambda one: _table(tree, kept[one]),
            lambda one: last_commit(path, one) if isinstance(tree, FolderTree) else None,
        )
        found = recognised(listing, layout, pattern)
        gathered = gather(looked_at, found)
    everyone = hand_ins(gathered)
    return ClassHandedIn(
        path=str(path),
        layout=found.name,
        hand_ins=everyone,
        skipped=gathered.listed(),
        junk=dict(gathered.junk),
        notes=(*found.notes, *_assignments(everyone), *clashes(everyone)),
    )


class ClassReader:
    """Opens what was listed by `read_class` once, and reads one hand-in at a time; nothing is kept.

    Raises:
        IntakeError: it is not there any more.
    """

    def __init__(self, handed_in: ClassHandedIn) -> None:
        with ExitStack() as stack:
            self._tree = stack.enter_context(closing(_opened(Path(handed_in.path))))
            self._entries = self._tree.entries()
            stack.pop_all()
        self._read_bytes = 0

    def contents(self, hand_in: HandIn) -> Contents:
        """The files of a hand-in, with those in its archives; what was skipped says why.

        Raises:
            IntakeError: they are more than one hand-in may hold, or all together are more than a class may.
        """
        filling = Filling()
        filling.contents.skipped.extend(hand_in.skipped)
        if self._read_bytes > MOST_BYTES:
            raise IntakeError(f"The class holds more than {MOST_BYTES >> 30} GiB. Grade it in parts.")
        try:
            filling.add(self._tree, [(one.path, self._entry(one.number, one.source)) for one in hand_in.members])
        finally:
            self._read_bytes += filling.contents.read_bytes + filling.archive_bytes
        return filling.contents

    def close(self) -> None:
        """Let go of what was opened."""
        self._tree.close()

    def __enter__(self) -> ClassReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _entry(self, number: int, source: str) -> Entry:
        if number >= len(self._entries) or self._entries[number].path != source:
            raise IntakeError(_CHANGED)
        return self._entries[number]


def each(handed_in: ClassHandedIn) -> Iterator[tuple[HandIn, Contents | IntakeError]]:
    """Every hand-in with its files, one after the other; or with what kept them from being read."""
    with ClassReader(handed_in) as reader:
        for hand_in in handed_in.hand_ins:
            try:
                contents: Contents | IntakeError = reader.contents(hand_in)
            except IntakeError as error:
                contents = error
            yield hand_in, contents


def _opened(path: Path) -> Tree:
    shown = names.quoted(str(path), width=200)
    try:
        if path.is_dir():
            return FolderTree(path, MOST_ENTRIES)
        if not path.is_file():
            raise UsageError(f"{shown} does not exist. Check the spelling, or give the full path of {_KINDS}.")
        with path.open("rb") as file:
            mark = file.read(4)
    except (OSError, ValueError):
        raise UsageError(f"{shown} cannot be opened. Give {_KINDS}.") from None
    if not mark.startswith(b"PK"):
        raise IntakeError(f"{shown} is no zip. Unpack it and give the folder, or give {_KINDS}.")
    return ZipTree(str(path), path.name, MOST_ENTRIES)


def _table(tree: Tree, entry: Entry) -> str:
    """A table of the platform's own, as far as it can be read."""
    try:
        data = read(tree, entry, _MOST_BYTES_OF_TABLE)
    except Unreadable:
        return ""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _assignments(everyone: tuple[HandIn, ...]) -> list[str]:
    several = sorted({one.assignment for one in everyone} - {""})
    if not several:
        return []
    return [f"There are several exercises: {names.listed(several, most=5)}. Each is a hand-in of its own."]
