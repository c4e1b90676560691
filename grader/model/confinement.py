"""What workers are confined by, what is missing, and whether that is enough for programs of strangers."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

OPTIONAL = {"cgroup"}  # one more limit on what other layers limit already
Level = Literal["full", "enough", "practice"]


class Layer(msgspec.Struct, frozen=True):
    """What a layer is called, what it stops, and how to get it where it is missing."""

    title: str
    stops: str
    remedy: str


@cache
def layers() -> dict[str, Layer]:
    """All layers, in the order in which they are put in force."""
    table = tomllib.loads(Path(__file__).with_name("layers.toml").read_text(encoding="utf-8"))
    return {name: msgspec.convert(entry, Layer) for name, entry in table.items()}


class Confinement(msgspec.Struct, frozen=True):
    """The layers in force, and each other one with the reason why this machine does without it."""

    layers: tuple[str, ...]
    missing: dict[str, str] = {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What strangers' programs must not run without: files closed (by Landlock or namespaces), calls filtered.

        Who started as root must also have become another user.
        """
        files = () if {"landlock", "namespaces"} & {*self.layers} else ("landlock",)
        calls = () if "seccomp" in self.layers else ("seccomp",)
        user = ("unused_user",) if "unused_user" in self.missing else ()
        return (*files, *calls, *user)

    @property
    def level(self) -> Level:
        """`full`; `enough` for grades that count; `practice`: honest with honest code."""
        return "practice" if self.lacking else "enough" if {*self.missing} - OPTIONAL else "full"

    def shortfall(self) -> str:
        """One sentence on what is lacking, why, and how to get it; empty when nothing is."""
        parts = []
        for name in self.lacking:
            reason, remedy = self.missing.get(name, "not on this system"), layers()[name].remedy.rstrip(".")
            parts.append(f"{layers()[name].title} ({reason}; to get it: {remedy})")
        return f"Programs of strangers must not run here without {' and '.join(parts)}." if parts else ""
