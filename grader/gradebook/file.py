"""The file of a gradebook: SQLite, made once, refused unless it is ours; every error of it told in a sentence.

Its journal is WAL, so that a report can be made while a class is graded. WAL needs memory that all readers share, which
no network file system has: there, and wherever it fails when tried, the file has SQLite's older journal (DELETE), safe
as well, but one command waits for another.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

from grader.errors import GradebookError

APPLICATION, VERSION = 0x67726164, 1  # "grad"
BUSY_SECONDS = 60.0
Result = TypeVar("Result")
_NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs", "fuse.")
_APPEND_ONLY = """
CREATE TRIGGER {table}_{event} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"""
_SCHEMA = (
    # What was found, under what was judged (digest) and by what (course). Whose it is stands in attempts.
    """
CREATE TABLE records (
    digest TEXT NOT NULL, course TEXT NOT NULL, points REAL NOT NULL, max_points REAL NOT NULL, record BLOB NOT NULL,
    PRIMARY KEY (digest, course))""",
    # How each is called where the grades come from and go to, as JSON: also those who handed nothing in.
    "CREATE TABLE people (student TEXT PRIMARY KEY, facts BLOB NOT NULL)",
    # Who handed in what and when; `course` says by which course's record the attempt counts.
    """
CREATE TABLE attempts (
    student TEXT NOT NULL, number INTEGER NOT NULL CHECK (number > 0), digest TEXT NOT NULL, course TEXT NOT NULL,
    submitted_at TEXT, late INTEGER, late_seconds REAL, submission BLOB NOT NULL,
    PRIMARY KEY (student, number), FOREIGN KEY (digest, course) REFERENCES records (digest, course))""",
    # The last row of a check counts; one without points takes the earlier ones back.
    """
CREATE TABLE overrides (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, exercise TEXT NOT NULL, "check" TEXT NOT NULL, points REAL,
    reason TEXT NOT NULL, "by" TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX overrides_student ON overrides (student)",
    """
CREATE TABLE audit (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, "by" TEXT NOT NULL, action TEXT NOT NULL, student TEXT NOT NULL,
    details TEXT NOT NULL)""",
    "CREATE INDEX audit_student ON audit (student)",
    *(
        _APPEND_ONLY.format(table=table, event=event)
        for table in ("overrides", "audit")
        for event in ("UPDATE", "DELETE")
    ),
)


def connect(path: Path, *, create: bool) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """An open connection, and notes for the person at the terminal; a new file is readable by its owner alone.

    Raises:
        GradebookError: it does not exist and is not to be made, is not ours, is newer, or cannot be opened.
    """
    _check_or_make(path, create)
    with told(path):
        if _done(path, _is_new):
            if not on_network(path):
                with closing(_opened(path)) as new, suppress(sqlite3.OperationalError):
                    new.execute("PRAGMA journal_mode = WAL")
            _done(path, _make_tables)
        connection = _opened(path)
        try:
            return connection, _notes(connection, path)
        except BaseException:
            connection.close()
            raise


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Errors of SQLite become sentences.

    Raises:
        GradebookError: instead of sqlite3.Error.
    """
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        sentences = {
            "SQLITE_BUSY": "is in use by another command that does not end. Wait for it, then run this one again.",
            "SQLITE_FULL": "cannot grow: the disk is full. What was stored is kept; make room and go on.",
            "SQLITE_NOTADB": "is not a gradebook. Give another path; nothing was changed.",
            "SQLITE_CORRUPT": "is damaged. Go on with a copy of it, and keep this file: much of it can be read.",
        }
        known = next((sentence for start, sentence in sentences.items() if name.startswith(start)), None)
        words = known or f"cannot be used here ({error}). Check that you may write there, or copy it to a local disk."
        raise GradebookError(f"The gradebook {path} {words}") from None


@contextmanager
def transaction(connection: sqlite3.Connection, kind: Literal["IMMEDIATE", "DEFERRED"] = "IMMEDIATE") -> Iterator[None]:
    """All of it or nothing: to write, others that write wait; to read (DEFERRED), one state of the file."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has already rolled back when the disk is full
            connection.execute("ROLLBACK")
        raise


def on_network(path: Path) -> bool:
    """Whether the file lies on a file system of another machine."""
    import psutil

    real = path.resolve()
    around = [part for part in psutil.disk_partitions(all=True) if real.is_relative_to(part.mountpoint)]
    nearest = max(around, key=lambda part: len(part.mountpoint), default=None)
    return nearest is not None and (nearest.fstype.lower().startswith(_NETWORK) or "remote" in nearest.opts.split(","))


def _opened(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _check_or_make(path: Path, create: bool) -> None:
    """Never opens a file that is there: to close it would take the locks of every connection of this process to it."""
    try:
        if create and not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        pass  # another process was faster
    except OSError as error:
        raise GradebookError(f"The gradebook {path} cannot be made ({error.strerror}). Check the path.") from None
    if not path.exists():
        raise GradebookError(f"There is no gradebook {path}. `grade batch` makes one; check the path.")
    if not path.is_file():
        raise GradebookError(f"{path} is not a gradebook: it is no file. Give another path.")


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing is in it yet: it was just made, or whoever made it was killed before the first table."""
    application, version, tables = (
        connection.execute(query).fetchone()[0]
        for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if not application and not version and not tables:
        return True
    if application != APPLICATION:
        raise GradebookError(f"{path} is a database of another program, not a gradebook. Give another path.")
    if version > VERSION:
        raise GradebookError(
            f"The gradebook {path} was made by a newer grader (version {version}; this one knows {VERSION}). "
            "Install that grader; nothing was changed."
        )
    return False


def _make_tables(connection: sqlite3.Connection, path: Path) -> None:
    with transaction(connection):
        if _is_new(connection, path):  # another process may have been faster
            for statement in (*_SCHEMA, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}"):
                connection.execute(statement)


def _done(path: Path, step: Callable[[sqlite3.Connection, Path], Result]) -> Result:
    """What a step returns; where WAL turns out not to work, though the file has it, the file is brought out of it."""
    try:
        with closing(_opened(path)) as connection:
            return step(connection, path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise
    with closing(_opened(path)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # the only way to read WAL without shared memory
        connection.execute("PRAGMA journal_mode = DELETE")
        return step(connection, path)


def _notes(connection: sqlite3.Connection, path: Path) -> tuple[str, ...]:
    connection.execute("PRAGMA synchronous = FULL")  # a grade that was told outlives a power cut
    connection.execute("PRAGMA foreign_keys = ON")
    journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if journal == "wal" and on_network(path):
        journal = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    if journal == "wal":
        return ()
    return (
        f"{path} lies where SQLite cannot keep its journal as WAL, such as a network drive. It is used with the older "
        "journal: as safe, but commands wait for each other. A local disk is faster.",
    )
