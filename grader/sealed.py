"""`checks.sealed`: a course whose private side is encrypted, for places that students can read.

    {"schema": "grade/sealed/v1", "name": "…", "digest": "sha256:…", "held_back": 36,
     "visible": {"course.toml": "…", "residual_add/checks.py": "…", …},
     "key_id": "…", "sealed": "gAAAAAB…"}

`visible` is a course of its own with the visible checks, for everybody; `held_back` counts the others. `sealed` is a
token of Fernet (AES and a signature, one key for both) with all files that grading needs, as they are: whoever has the
key grades as with the open course, whose digest it has. They are read into memory; nothing here or later writes them.

`key_id` tells a wrong key from a damaged file. What is in the clear can be changed by anybody who can write the file:
with the key, none of it is used.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from types import ModuleType

import msgspec

from grader.errors import CourseError, GradeError, UsageError
from grader.model.course import Course, course_in_memory

SCHEMA = "grade/sealed/v1"
KEY = "GRADE_KEY"
_FAMILY = "grade/sealed/"


class _Schema(msgspec.Struct, frozen=True):
    schema: str


class _Inside(msgspec.Struct, frozen=True):
    """What is encrypted: files by their path in the course."""

    schema: str
    files: dict[str, bytes]


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """The file as data. `visible` is empty where a course shows no check."""

    schema: str = SCHEMA
    name: str
    digest: str
    held_back: int
    visible: dict[str, str]
    key_id: str
    sealed: str

    def course(self, key: str | None, path: Path) -> Course:
        """The whole course; without a key that of the visible checks. `path` is where the file lies.

        Raises:
            UsageError: this is no key, or not the one.
            CourseError: the file is damaged or of another version, or without the key there is nothing to run.
        """
        root = str(path.resolve())
        if key is not None:
            return msgspec.structs.replace(course_in_memory(self._files(key, path), root), sealed=True)
        if not self.visible:
            raise CourseError(f"{path} shows no check, so without its key in {KEY} there is nothing to run.")
        files = {name: text.encode() for name, text in self.visible.items()}
        return msgspec.structs.replace(course_in_memory(files, root), held_back=self.held_back)

    def _files(self, key: str, path: Path) -> dict[str, bytes]:
        if self.key_id != key_id(key):
            raise UsageError(f"The key in {KEY} is not the one that {path} was sealed with.")
        library = fernet()
        try:
            inside = msgspec.msgpack.decode(library.Fernet(key).decrypt(self.sealed), type=_Inside)
        except (library.InvalidToken, msgspec.MsgspecError):
            raise _damaged(path) from None
        if inside.schema != SCHEMA:
            raise _other_version(path, inside.schema)
        return inside.files


def new_key() -> str:
    """A key that nobody can guess."""
    key: bytes = fernet().Fernet.generate_key()
    return key.decode()


def key_id(key: str) -> str:
    """Tells keys apart, and says nothing of them. Raises UsageError for what is no key."""
    if not key.strip():
        raise UsageError(f"{KEY} is empty. Set it to the key that `grade seal` printed, or unset it.")
    try:
        fernet().Fernet(key)
        return hashlib.sha256(b"key of " + base64.urlsafe_b64decode(key)).hexdigest()[:16]
    except ValueError:
        raise UsageError(f"{KEY} holds no key: one has 44 characters, as `grade seal` printed them.") from None


def encrypted(files: dict[str, bytes], key: str) -> str:
    """The token for the field `sealed`; files are in the order of their names."""
    inside = _Inside(SCHEMA, dict(sorted(files.items())))
    token: bytes = fernet().Fernet(key).encrypt(msgspec.msgpack.encode(inside))
    return token.decode()


def read_sealed(path: Path) -> Sealed:
    """The file at `path`, with its private side still encrypted.

    Raises:
        UsageError: there is no such file, or it is none of ours.
        CourseError: it is damaged, or of another version.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}). `grade seal` makes such a file.") from None
    try:
        schema = msgspec.json.decode(data, type=_Schema).schema
        if schema == SCHEMA:
            return msgspec.json.decode(data, type=Sealed)
    except msgspec.MsgspecError:
        schema = SCHEMA if _FAMILY.encode() in data else ""
    if schema == SCHEMA:
        raise _damaged(path)
    if schema.startswith(_FAMILY):
        raise _other_version(path, schema)
    raise UsageError(f"{path} is no file of `grade seal`.")


def _damaged(path: Path) -> CourseError:
    return CourseError(f"{path} is damaged. Copy it again from where it was made, or seal the course again.")


def _other_version(path: Path, schema: str) -> CourseError:
    return CourseError(
        f"{path} was sealed by another version of the grader ({schema[:40]}; this one reads {SCHEMA}). "
        "Seal the course again with this one."
    )


def fernet() -> ModuleType:
    """The library. Raises GradeError where it is not installed: nothing else of the grader needs it."""
    try:
        from cryptography import fernet
    except ImportError:
        raise GradeError(
            'Sealed checks need a package that is not installed: python -m pip install "residual-grader[sealed]".'
        ) from None
    return fernet
