"""Sample records by name, and both ways to show one."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from reports.terminal.console import show

RECORDS = Path(__file__).parents[1] / "samples" / "records"
NAMES = sorted(path.stem for path in RECORDS.glob("*.json"))

Record = dict[str, Any]


def read(name: str) -> Record:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def sample() -> Callable[[str], Record]:
    return read


@pytest.fixture(params=NAMES)
def record(request: pytest.FixtureRequest) -> Record:
    return read(request.param)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What a terminal of the given kind, or a pipe, is sent."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)

    def run(record: Record, page: str | None = None, quiet: bool = False, **options: Any) -> str:
        out = io.StringIO()
        show(record, Console(file=out, **options), page=page, quiet=quiet)
        return out.getvalue()

    return run
