"""`[tool.grade]` of pyproject.toml: what options are when nobody names them, for one project.

An option counts before its environment variable, that before the file, and the file before what is built in. The file
is the nearest one with such a table, in this folder or above it, never one from inside what was handed in: a course is
run with the grader's rights, and where results go and what counts as enough is not for a submission to say.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
from click.core import ParameterSource

from grader.cli.telling import tell
from grader.errors import UsageError

FILE, TABLE = "pyproject.toml", "[tool.grade]"
MOST_BYTES = 1_000_000
_META = "grader.cli.settings"


class Found(NamedTuple):
    """The file that counts, and what it says, with the types that the options have."""

    file: Path
    values: dict[str, Any]


class Setting(click.Option):
    """An option that `[tool.grade]` and the environment may set, by its long name: `fail-under`, `GRADE_FAIL_UNDER`.

    A path of the file counts from the file's folder. With `stays` it has to lie in that folder (what is written), or
    must not lie in what was handed in (what is run).
    """

    def __init__(
        self,
        *arguments: Any,
        stays: Literal["in the project", "out of the submission"] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.stays = stays
        self.key = next(name.removeprefix("--") for name in self.opts if name.startswith("--"))
        self.variable = f"GRADE_{self.key.upper().replace('-', '_')}"
        self.envvar = self.variable

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """The value and where it is from; `DEFAULT_MAP` is the file."""
        value, source = super().consume_value(ctx, opts)
        if source is not ParameterSource.DEFAULT or ctx.resilient_parsing:
            return value, source
        handed_in = _handed_in(opts)
        found = in_force(ctx, handed_in)
        if found is None or self.key not in found.values:
            return value, source
        value = found.values[self.key]
        if self.stays == "out of the submission" and handed_in and _inside(value, handed_in):
            raise UsageError(f"{_place(found.file, self.key)}: {value} lies in what was handed in, so it is not run "
                             f"unasked. Name another one: `--{self.key} PATH`.")  # fmt: skip
        return value, ParameterSource.DEFAULT_MAP

    def read(self, value: object, file: Path, ctx: click.Context) -> Any:
        """The value of the file as the option takes it.

        Raises:
            UsageError: it is none; the message names file and key.
        """
        place = _place(file, self.key)
        if not self._fits(value):
            raise UsageError(f"{place} has to be {self._wanted()}; it is {_shown(value)}.")
        if isinstance(self.type, click.Path):
            return self._path(str(value), file)
        try:
            return self.type_cast_value(ctx, value)
        except click.BadParameter as error:
            raise UsageError(f"{place}: {error.message}") from None

    def _fits(self, value: object) -> bool:
        if self.multiple:
            return isinstance(value, list) and all(isinstance(one, str) and one for one in value)
        if self.is_flag:
            return isinstance(value, bool)
        if isinstance(self.type, click.types.IntParamType):
            return isinstance(value, int) and not isinstance(value, bool)
        if isinstance(self.type, click.types.FloatParamType):
            return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return isinstance(value, str) and value != ""

    def _wanted(self) -> str:
        if self.multiple:
            return 'a list of texts, `["…"]`'
        if self.is_flag:
            return "true or false"
        if isinstance(self.type, click.types.IntParamType):
            return "a whole number"
        return "a number" if isinstance(self.type, click.types.FloatParamType) else 'a text, `"…"`'

    def _path(self, value: str, file: Path) -> Path:
        """What is written by its way from here, so that `write_files` looks at each folder on it."""
        path = Path(os.path.normpath(file.parent / value))
        if self.stays == "in the project" and file.parent not in path.parents:
            raise UsageError(f"{_place(file, self.key)}: {value} does not lie below {file.parent}. Only the option "
                             f"`--{self.key}` may name a folder elsewhere.")  # fmt: skip
        return Path(os.path.relpath(path)) if self.stays == "in the project" else path


def in_force(ctx: click.Context, handed_in: Path | None) -> Found | None:
    """The settings that count for this call; read once, and None with `grade --isolated`.

    Raises:
        UsageError: the file is not TOML, or its table has an unknown key or a value of another type.
    """
    if ctx.find_root().params.get("isolated"):
        return None
    if _META not in ctx.meta:
        file = _nearest(handed_in)
        ctx.meta[_META] = Found(file, _read(file, ctx)) if file else None
    found: Found | None = ctx.meta[_META]
    return found


def known() -> dict[str, Setting]:
    """All settings by their key; where several commands have one, it is the same in each."""
    from grader.cli import cli

    every = (option for command in cli.commands.values() for option in command.params)
    return {option.key: option for option in every if isinstance(option, Setting)}


def _nearest(handed_in: Path | None) -> Path | None:
    here = Path.cwd()
    for folder in (here, *here.parents):
        file = folder / FILE
        if not os.path.isfile(file):
            continue
        if handed_in is None or not _inside(file, handed_in):
            if _table(file) is not None:
                return file
        elif _is_set(file):
            tell(f"{file} lies in what was handed in, so its {TABLE} does not count.", lead="note: ")
    return None


def _is_set(file: Path) -> bool:
    """Whether a file that does not count would say anything; it may be as broken as it likes."""
    try:
        return _table(file) is not None
    except UsageError:
        return False


def _read(file: Path, ctx: click.Context) -> dict[str, Any]:
    settings, values = known(), {}
    for key, value in (_table(file) or {}).items():
        if key not in settings:
            near = difflib.get_close_matches(key, settings, n=1, cutoff=0.5)
            meant = f"Did you mean {near[0]!r}?" if near else f"Known are {', '.join(sorted(settings))}."
            raise UsageError(f"{file}: {TABLE} has the unknown key {key!r}. {meant}")
        values[key] = settings[key].read(value, file, ctx)
    return values


def _table(file: Path) -> dict[str, Any] | None:
    """What stands under `[tool.grade]`, unread; None where there is no such table."""
    import tomllib

    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UsageError(f"{file} is larger than {MOST_BYTES} bytes, so it is not read.")
        tool = tomllib.loads(data.decode()).get("tool")
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}). `grade --isolated` does without.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{file} is not TOML: {error}. `grade --isolated` does without.") from None
    table = tool.get("grade") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{file}: {TABLE} has to be a table; it is {_shown(table)}.")
    return table


def _handed_in(opts: Mapping[str, Any]) -> Path | None:
    path = opts.get("path")
    return Path(path) if isinstance(path, str) else None


def _inside(path: Path, handed_in: Path) -> bool:
    """As it is written, and where links lead."""
    whole = Path(os.path.realpath(handed_in))
    spellings = (Path(os.path.abspath(path)), Path(os.path.realpath(path)))
    return any(whole in (one, *one.parents) for one in spellings)


def _place(file: Path, key: str) -> str:
    return f"{file}: {key} in {TABLE}"


def _shown(value: object) -> str:
    """As TOML writes it, or nearly."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)[:100]
