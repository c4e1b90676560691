"""Ready files for the places where exercises are graded on every push, or by a platform.

`templates/` has them as they are written, one folder for each place, and below `github` and `gitlab` one for each side:
`student` for what students can read, `instructor` for what they cannot. What depends on the course and on what is
installed here is added to them: requirements, versions, checks.
"""

from __future__ import annotations

import io
import re
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

from grader import __version__
from grader.authoring.packs.visible import visible_course
from grader.authoring.private import refuse_private
from grader.model.course import Course

Kind = Literal["github", "gitlab", "classroom50", "gradescope"]

DISTRIBUTION = "residual-grader"
VISIBLE, PRIVATE = "grade-course", "solutions"
ARCHIVE = "autograder.zip"
TEMPLATES = Path(__file__).parent / "templates"
_NEVER = {"__pycache__", "mistakes", "rewrites"}
_EPOCH = (1980, 1, 1, 0, 0, 0)


class Pack(NamedTuple):
    """Files by name, those of `scripts` to be made executable; `notes` are sentences on what stayed out."""

    files: dict[str, bytes]
    notes: tuple[str, ...] = ()

    @property
    def scripts(self) -> tuple[str, ...]:
        """Files that are programs."""
        return tuple(name for name, data in self.files.items() if data.startswith(b"#!"))


def make_pack(kind: Kind, course: Course, install: str, versions: dict[str, str]) -> Pack:
    """What goes to one place.

    Args:
        kind: the place.
        course: whose checks; the private side goes into Gradescope's archive alone.
        install: the grader for `pip install`, one line of a requirements file.
        versions: of each package, so that grades are made there with what the checks were proven with.

    Raises:
        CourseError: the course shows no check, and the place is one for visible checks only; or something private
            would be among what students can read.
    """
    needed = {"requirements-grade.txt": f"{install}\n".encode(), "constraints-grade.txt": _constraints(versions)}
    files = templates(TEMPLATES / kind)
    if kind == "gradescope":
        return Pack({ARCHIVE: _archive({**files, **needed, **_private(course)})})
    shown = visible_course(course)
    checks = {f"{VISIBLE}/{name}": data for name, data in shown.files.items()}
    sides = {name.partition("/")[0] for name in files} & {"student", "instructor"} or {""}
    for side in sides:
        added = needed if side == "instructor" else {**needed, **checks}
        files |= {f"{side}/{name}".lstrip("/"): data for name, data in added.items()}
    readable = {name: data for name, data in files.items() if not name.startswith("instructor/")}
    refuse_private(readable, course, course.exercises)
    return Pack(dict(sorted(files.items())), shown.notes)


def installed() -> dict[str, str]:
    """The versions of what the grader needs, as they are here; not by which index or for which processor."""
    found = {}
    for requirement in metadata.requires(DISTRIBUTION) or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if "extra ==" not in requirement:
            try:
                found[name] = metadata.version(name).partition("+")[0]
            except metadata.PackageNotFoundError:  # of another system
                continue
    return found


def from_index() -> str:
    """The grader of this version, from wherever pip looks."""
    return f"{DISTRIBUTION}=={__version__}"


def _constraints(versions: dict[str, str]) -> bytes:
    return "".join(f"{name}=={version}\n" for name, version in sorted(versions.items())).encode()


def templates(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths in it, without what is never handed on."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not _NEVER & set(path.parts)]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _private(course: Course) -> dict[str, bytes]:
    """The course without what only proves it."""
    root, found = Path(course.root), {}
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and not _NEVER & set(inside.parts) and not any(part.startswith(".") for part in inside.parts):
            found[f"{PRIVATE}/{inside.as_posix()}"] = path.read_bytes()
    return found


def _archive(files: dict[str, bytes]) -> bytes:
    """A zip, the same bytes for the same files; programs in it are executable."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system, member.compress_type = 3, zipfile.ZIP_DEFLATED
            member.external_attr = (0o100755 if data.startswith(b"#!") else 0o100644) << 16
            archive.writestr(member, data)
    return made.getvalue()
