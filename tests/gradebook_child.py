"""A process that stores made-up submissions into a gradebook: `gradebook_child.py FILE NAME FIRST COUNT [SECONDS]`.

It prints the number of each submission once it is stored. After SECONDS, counted from before the file is opened, it
kills itself, wherever it is then.
"""

import hashlib
import os
import signal
import sys
import threading
from pathlib import Path

import msgspec

from grader.gradebook import open_gradebook
from grader.model.deadline import Arrival
from grader.model.grades import Attempt
from grader.model.record import Record

SAMPLES = Path(__file__).parent / "samples" / "records"


def sample(name="missing_skip", *, course="sha256:course", files=None, **submission):
    """A sample record by a course, of files that nobody else has (or those named)."""
    record = msgspec.json.decode((SAMPLES / f"{name}.json").read_bytes(), type=Record)
    digest = "sha256:" + hashlib.sha256(repr(files or (name, submission)).encode()).hexdigest()
    return msgspec.structs.replace(
        record,
        submission=msgspec.structs.replace(record.submission, **{"digest": digest} | submission),
        course=msgspec.structs.replace(record.course, digest=course),
    )


def numbered(name, number):
    """A submission of a student, one that is the same in every process."""
    return Attempt(Arrival(f"{name}-{number:05}")), sample(student=f"{name}-{number:05}")


def main(path, name, first, count, seconds=""):
    if seconds:
        timer = threading.Timer(float(seconds), os.kill, (os.getpid(), signal.SIGKILL))
        timer.daemon = True
        timer.start()
    with open_gradebook(Path(path), by=name) as book:
        for number in range(int(first), int(first) + int(count)):
            book.store(*numbered(name, number))
            print(number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
