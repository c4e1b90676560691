"""What one submission may use. Seconds are the student's own: the grader's imports and queues never count."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bounds that the worker runs under; `course.toml` may change each in its `[limits]` table.

    `check_seconds` is the wall time that one check may spend inside the student's code. Once a submission has run into
    it, its later checks get `again_seconds`: the reference needs milliseconds, and nobody should wait ten minutes to
    read "endless loop" twelve times.
    """

    load_seconds: float = 10.0
    check_seconds: float = 10.0
    again_seconds: float = 2.0
    memory_mib: int = 2048
    file_mib: int = 16
    folder_mib: int = 64
    folder_files: int = 1000
    open_files: int = 64
    output_characters: int = 4000
