"""A submission as it is compared: pieces of token kinds with their fingerprints, bounded whatever was handed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from grader.alike.fingerprints import fingerprints, own_stretches, runs
from grader.alike.tokens import Kinds, kinds
from grader.model.submission import SourceFile, Submission

MOST_CHARACTERS = 200_000  # of a submission
MOST_TOKENS = 20_000  # of a submission, or of one source of starter code
MOST_PLACES = 4  # of one fingerprint in one submission


class Piece(NamedTuple):
    """A file or a code cell, as far as it is looked at, and the stretches of its tokens that are no starter code."""

    file: str
    cell: int | None
    source: str
    kinds: Kinds
    stretches: list[tuple[int, int]]


class Place(NamedTuple):
    """Where a fingerprint begins: the index of a piece, and of a token in it."""

    piece: int
    at: int


class Text(NamedTuple):
    """`places` are those of each fingerprint, `files` the fingerprints of each file by its path."""

    pieces: list[Piece]
    places: dict[str, list[Place]]
    files: dict[str, Set[str]]
    is_cut: bool


def starter_runs(starter: Iterable[str]) -> frozenset[str]:
    """Every run of tokens in the code that all students were given."""
    return frozenset(run for source in starter for run in runs(kinds(source, MOST_TOKENS).text))


def text_of(submission: Submission, starter: frozenset[str]) -> Text:
    """The submission as it is compared: what answers an exercise first, then its other files."""
    pieces = list(_pieces(submission, starter))
    places: dict[str, list[Place]] = {}
    files: dict[str, set[str]] = {}
    for index, piece in enumerate(pieces):
        for run, at in fingerprints(piece.kinds.text, piece.stretches):
            files.setdefault(piece.file, set()).add(run)
            found = places.setdefault(run, [])
            if len(found) < MOST_PLACES:
                found.append(Place(index, at))
    characters = sum(len(cell.source) for file in submission.files for cell in file.cells)
    tokens = sum(len(piece.kinds.text) for piece in pieces)
    return Text(pieces, places, dict(files), is_cut=characters > MOST_CHARACTERS or tokens == MOST_TOKENS)


def _pieces(submission: Submission, starter: frozenset[str]) -> Iterator[Piece]:
    characters, tokens = MOST_CHARACTERS, MOST_TOKENS
    for file in _files(submission):
        for cell in file.cells:
            source = cell.source[:characters]
            found = kinds(source, tokens)
            characters, tokens = characters - len(source), tokens - len(found.text)
            if found.text:
                yield Piece(file.path, cell.number, source, found, own_stretches(found.text, starter))


def _files(submission: Submission) -> list[SourceFile]:
    answers = {work.file.path for work in submission.works if work.file is not None}
    return sorted(submission.files, key=lambda file: (file.path not in answers, file.path))
