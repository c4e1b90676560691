"""The format of the files in `files/`.

Line 1 is a docstring: what the attack tries, and its right outcome. Line 2 is a comment of `key: value` parts, with
` | ` between them::

    # points: full | verdict: -

`points`    what a fair grade of the file is: `full`, `none` (not one point), `some` (not full), or `any`
`verdict`   how the first lost check ends; `-`: none is lost; `a/b`: one of these; `any`
`needs`     a layer of confinement without which it is known to get through, such as `namespaces`; the file is then
            not held against a machine that lacks it
`runs`      how often it is graded, one right after the other (1)
`known`     why full points are no success of the attack: what no sandbox can see (for the reader only)

The rest is a student's file. It may use the names of `prelude.py` and of `World.names`, which are put above it, and a
line `# honest solution`, in whose place the class of `honest.py` is put.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from grader.model.results import Verdict

HERE = Path(__file__).parent
FILES = HERE / "files"
POINTS = ("full", "none", "some", "any")
KEYS = ("points", "verdict", "needs", "runs", "known")
HONEST_LINE = "# honest solution"
HONEST = (HERE / "honest.py").read_text(encoding="utf-8")
PRELUDE = (HERE / "prelude.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Attack:
    """One file. `verdicts` is empty for `any`, and `("-",)` where no check is to be lost."""

    name: str
    points: str
    verdicts: tuple[str, ...]
    needs: str | None
    runs: int
    body: str

    @property
    def hangs(self) -> bool:
        """It is to be stopped by the clock, so that a shorter one will do."""
        return self.verdicts == ("timed_out",)

    @property
    def machine(self) -> str | None:
        """The only kind of machine it is written for: system calls go by number."""
        return "x86_64" if "raw(" in self.body else None

    def source(self, names: dict[str, object]) -> str:
        """The whole file as it is handed in; `names` are values of the world that it may use."""
        values = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        return values + PRELUDE + "\n\n" + self.body.replace(HONEST_LINE, HONEST)


def read(path: Path) -> Attack:
    """The attack in a file.

    Raises:
        ValueError: its first two lines are not as described above.
    """
    body = path.read_text(encoding="utf-8")
    title, header, *_ = body.splitlines()
    if not (title.startswith('"""') and title.endswith('"""') and "; right outcome: " in title):
        raise ValueError(f"{path.name}: line 1 is to be a docstring with `; right outcome: `")
    values = _values(path.name, header)
    points, verdict = values.get("points", ""), values.get("verdict", "")
    verdicts = () if verdict == "any" else tuple(verdict.split("/"))
    if points not in POINTS or not set(verdicts) <= {"-", *get_args(Verdict)}:
        raise ValueError(f"{path.name}: points {points!r}, verdict {verdict!r}")
    if (points == "full") != (verdicts == ("-",)):
        raise ValueError(f"{path.name}: full points and no verdict belong together")
    return Attack(path.stem, points, verdicts, values.get("needs"), int(values.get("runs", "1")), body)


def _values(name: str, header: str) -> dict[str, str]:
    parts = [part.partition(":") for part in header.removeprefix("# ").split(" | ")]
    values = {key.strip(): value.strip() for key, _, value in parts}
    if unknown := values.keys() - set(KEYS):
        raise ValueError(f"{name}: line 2 has the unknown key {min(unknown)!r}")
    return values


ATTACKS = {path.stem: read(path) for path in sorted(FILES.glob("*.py"))}
