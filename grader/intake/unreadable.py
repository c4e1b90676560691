"""The way out of a reader that cannot make source text of some bytes; `source.read_source` turns it into a problem."""

from __future__ import annotations


class Unreadable(Exception):
    """`what` goes on after the file's name ("is cut off …"); `next_step` is a sentence of its own."""

    def __init__(self, what: str, next_step: str) -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step
