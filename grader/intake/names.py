"""Names of files: made alike on every system, safe to show, and which of them are not worth reading."""

from __future__ import annotations

import os
import re
import unicodedata

from grader.model.course import QUIZ

_JUNK_FOLDERS = {
    "__MACOSX": "made by macOS, holds no code",
    "__pycache__": "made by Python itself",
    ".ipynb_checkpoints": "backup copies that Jupyter makes by itself",
    "site-packages": "installed packages",
    "node_modules": "installed packages",
}
ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")
MOST_PATH_CHARACTERS = 300
_UNSEEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")  # some scripts and emoji are not written without them

VIRTUAL_ENVIRONMENT = "a virtual environment: installed packages"
THE_COURSES_OWN = "the course's own copy is used"
MADE_BY_MACOS = "made by macOS, holds no code"
_NO_CODE = "only .py and .ipynb files are read"
_HIDDEN_FOLDER, _HIDDEN_FILE = "a hidden folder", "a hidden file"
ORDINARY_REASONS = frozenset(  # to pass something by: nobody need look at it
    {
        *_JUNK_FOLDERS.values(),
        VIRTUAL_ENVIRONMENT,
        THE_COURSES_OWN,
        MADE_BY_MACOS,
        _NO_CODE,
        _HIDDEN_FOLDER,
        _HIDDEN_FILE,
    }
)


RECEIPT = "grade-receipt.json"  # of `grade submit --pack`


def local_name(name: str) -> str:
    """A name from this file system as NFC text, whatever the locale says: its bytes are read as UTF-8."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))


def whole(text: str) -> str:
    """Text that can be written as UTF-8, with `?` for the halves of characters that a terminal may hand over."""
    return text.encode("utf-8", "replace").decode("utf-8")


def printable(path: str) -> str:
    """The path with `?` for what would break or reorder a line on a page or in a terminal, and cut if it is endless."""
    shown = path if len(path) <= MOST_PATH_CHARACTERS else path[: MOST_PATH_CHARACTERS - 1] + "…"
    return "".join("?" if is_unprintable(character) else character for character in shown)


def is_unprintable(character: str) -> bool:
    """Control characters, line separators, halves of surrogate pairs, and what is unseen or turns text around."""
    if character.isascii():
        return not character.isprintable()
    unseen = unicodedata.category(character) in _UNSEEN_CATEGORIES or 0xE0000 <= ord(character) <= 0xE0FFF
    return character in _UNSEEN_LETTERS or (unseen and character not in _JOINERS)


def quoted(text: str, width: int = 60) -> str:
    """`text` in backticks for a sentence: printable, without backticks of its own, at most `width` characters."""
    clean = printable(text).replace("`", "'")
    return f"`{clean if len(clean) <= width else clean[: width - 1] + '…'}`"


def numbers(text: str) -> str:
    """The letters beyond ASCII by their numbers, which tells look-alikes apart: `U+0430, U+0445`."""
    found = list(dict.fromkeys(f"U+{ord(letter):04X}" for letter in text if not letter.isascii()))
    return ", ".join(found[:5]) + (", …" if len(found) > 5 else "")


def listed(names: list[str], most: int = 3) -> str:
    """`a`, `b` and 2 more."""
    shown = [quoted(name) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def stem(path: str) -> str:
    """The last part of the path without its ending."""
    return path.rpartition("/")[2].rpartition(".")[0]


def suffix(path: str) -> str:
    """`.py` of `a/b.PY`; empty where there is none."""
    name = path.rpartition("/")[2]
    return name[name.rindex(".") :].lower() if "." in name else ""


def depth(path: str) -> int:
    """How many folders the file lies in."""
    return path.count("/")


def is_named_for(path: str, exercise: str) -> bool:
    """`residual_add.py` and `Residual_Add.ipynb` are named for the exercise residual_add."""
    return suffix(path) in (".py", ".ipynb") and stem(path).casefold() == exercise.casefold()


def resembles(path: str, exercise: str) -> bool:
    """So are `residual_add (1).py`, `residual_add-2.py`, `Residual Add.py` and `residual_add.py.txt`, nearly."""
    name = path.rpartition("/")[2]
    while suffix(name) in (".py", ".ipynb", ".txt"):
        name = stem(name)
    spellings = {_letters(name), _letters(re.sub(r"\(?\d{1,3}\)?$", "", name))}
    return _letters(exercise) in spellings


def is_answers(path: str) -> bool:
    """`knowledge_check.toml` and `knowledge_check (1).toml` hold answers to the knowledge check."""
    return suffix(path) == ".toml" and resembles(stem(path), QUIZ)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def why_skip_folder(name: str) -> str | None:
    """The reason to pass by a folder of that name, or None."""
    if name in _JUNK_FOLDERS:
        return _JUNK_FOLDERS[name]
    return _HIDDEN_FOLDER if name.startswith(".") else None


def why_skip_file(path: str, container: str) -> str | None:
    """The reason not to read a file of that name, or None. `container` is "folder" or "archive"."""
    name = path.rpartition("/")[2]
    if name.startswith("._") or name == ".DS_Store":
        return MADE_BY_MACOS
    if len(path) > MOST_PATH_CHARACTERS:
        return f"its name is longer than {MOST_PATH_CHARACTERS} characters"
    if any(is_unprintable(character) for character in path):
        return "its name holds characters that cannot be shown"
    if name.casefold() == "previous_chapters.py":
        return THE_COURSES_OWN
    if name == RECEIPT:
        return None
    if suffix(name) in ARCHIVES:
        return f"an archive inside the {container} is not opened"
    if suffix(name) in (".py", ".ipynb") or is_answers(name):
        return _HIDDEN_FILE if name.startswith(".") else None
    return _NO_CODE
