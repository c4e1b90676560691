"""What a student is shown of a record."""

import html
import io
import json

import msgspec
import pytest
from rich.console import Console

from grader.model.record import for_student, to_json
from reports.html import student_page
from reports.terminal import console


@pytest.fixture(scope="session")
def shown():
    """Terminal, page, and JSON of a record as a student gets them, each as plain text."""

    def outputs(record):
        terminal = io.StringIO()
        console.show(msgspec.to_builtins(record), Console(file=terminal), page="report.html")
        kept = for_student(record)
        plain = json.loads(to_json(kept))
        texts = json.dumps(plain, ensure_ascii=False), html.unescape(student_page(msgspec.to_builtins(kept)))
        return [terminal.getvalue(), *texts]

    return outputs
