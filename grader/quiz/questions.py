"""The questions of a knowledge check with their key: data, nothing of it a student may read but `ask` and `options`."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["formula", "shape", "short_answer", "true_false", "multiple_choice"]


class KnownMistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong answer that is known, why it is wrong, and the tag of `vocabulary.toml` where there is one."""

    answer: str
    reason: str
    tag: str | None = None


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question. `ask` and `options` (letter to text) are for the students' side, all else is the key.

    `expected` tells in words what a right answer says, without saying it; `hint` is one question that leads on.
    """

    name: str
    kind: Kind
    title: str
    concept: str
    points: float
    ask: str
    accepted: tuple[str, ...]
    expected: str
    hint: str
    options: dict[str, str] = {}
    mistakes: tuple[KnownMistake, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """All answers that there are; none where the answer is free."""
        return ("true", "false") if self.kind == "true_false" else tuple(self.options)


class Quiz(msgspec.Struct, frozen=True):
    """All questions in order. `digest` covers all that can change a verdict."""

    name: str
    title: str
    questions: tuple[Question, ...]
    digest: str

    def question(self, name: str) -> Question | None:
        """The question of that name, or None."""
        return next((one for one in self.questions if one.name == name), None)
