"""The files for GitHub where students' repositories get a sealed course in the place of the visible checks."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from grader.authoring.packs import TEMPLATES, VISIBLE, Pack, make_pack, templates
from grader.authoring.private import refuse_private
from grader.errors import CourseError
from grader.model.course import Course
from grader.sealed import fernet, read_sealed

SEALED = "checks.sealed"
_REQUIREMENTS = "student/requirements-grade.txt"


def sealed_pack(course: Course, install: str, versions: dict[str, str], path: Path) -> Pack:
    """As `make_pack` for GitHub, with the file that `grade seal` wrote; its workflow takes the key from a secret.

    Raises:
        UsageError: there is no such file.
        CourseError: it was made of another state of the course; or as `make_pack`.
        GradeError: what opens it there is not installed here.
    """
    sealed = read_sealed(path)
    if sealed.digest != course.digest:
        raise CourseError(f"{path} was made of another state of this course. Make it anew with `grade seal`.")
    refuse_private({name: text.encode() for name, text in sealed.visible.items()}, course, course.exercises)
    package = fernet().__name__.partition(".")[0]
    pack = make_pack("github", course, install, versions)
    files = {name: data for name, data in pack.files.items() if not name.startswith(f"student/{VISIBLE}/")}
    files |= templates(TEMPLATES / "github-sealed")
    files |= {
        f"student/{SEALED}": path.read_bytes(),
        _REQUIREMENTS: files[_REQUIREMENTS] + f"{package}=={metadata.version(package)}\n".encode(),
    }
    return Pack(dict(sorted(files.items())), pack.notes)
