"""Every page that `reports` makes, opened from a file by a real browser: Debian's Chromium, or Chrome.

Where there is none the tests are skipped and say so; GRADE_BROWSER_TESTS=required, which `.ci/run` sets, makes that a
failure.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from grader.alike import alike
from grader.cli import by_hand
from grader.model.submission import Cell, SourceFile, Submission
from reports.alike.html import alike_page
from reports.classroom.html import class_pages
from reports.classroom.roster import roster
from reports.classroom.view import Asked
from reports.html import student_page
from reports.lab.html import lab_page

RECORDS = Path(__file__).parents[1] / "samples" / "records"
SOLUTIONS = Path(__file__).parents[2] / "solutions"
NAMES = sorted(path.stem for path in RECORDS.glob("*.json"))
PAGES = [*NAMES, "class", "alike", "lab"]
STUDENTS = 12
OVERRIDES = f"""\
student,exercise,check,points,reason,by
Student {NAMES.index("missing_skip"):02},residual_add,adds_the_input_back,4,the shortcut stands in another file,Mx
Student 99,residual_add,adds_the_input_back,4,nobody of this name,Mx
"""
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NONE_FOUND = "no Chromium and no Chrome was found (Debian: apt-get install chromium)"

Visit = Callable[..., AbstractContextManager[Page]]


def read(name: str) -> dict[str, Any]:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def classroom() -> dict[str, bytes]:
    """The files of a class in which every sample has been handed in by several students."""
    stored = []
    for number, name in zip(range(STUDENTS), cycle(NAMES)):
        record = read(name)
        record["submission"]["student"] = f"Student {number:02}"
        stored.append((f"{number}.json", record))
    students = roster(stored)
    taken = by_hand.read(OVERRIDES, students)
    return class_pages(by_hand.put_in(taken, students), Asked(not_applied=taken.problems)).files


def alike_students() -> str:
    """The page of a class in which every known right solution of an exercise was handed in twice."""
    handed_in = []
    for path in sorted((SOLUTIONS / "transformer_block" / "rewrites").glob("*.py")):
        file = SourceFile(path.name, "py", "", (Cell(None, path.read_text(encoding="utf-8")),))
        handed_in += [(f"{path.stem} {again}", Submission("", "", (), (file,))) for again in (1, 2)]
    return alike_page(msgspec.to_builtins(alike(handed_in, ())), "Residual connections")


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages by name, as files."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "students").mkdir()
    pages = {f"{name}.html": student_page(read(name)).encode() for name in NAMES}
    pages["alike.html"] = alike_students().encode()
    pages["lab.html"] = lab_page(json.loads((RECORDS.parent / "lab.json").read_text(encoding="utf-8"))).encode()
    for name, content in (pages | classroom()).items():
        (folder / name).write_bytes(content)
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a module and not of the session: while it is open, its event loop is the running one of this thread."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        missing = pytest.fail if os.environ.get("GRADE_BROWSER_TESTS") == "required" else pytest.skip
        missing(NONE_FOUND)
    rights = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium asks for it when it is started as root
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=rights)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Visit:
    """Opens an empty page in a profile of its own, for the time of a `with`; options as in `Browser.new_context`."""

    @contextmanager
    def blank(**options) -> Iterator[Page]:
        with browser.new_context(**{"reduced_motion": "reduce", **options}) as context:
            yield context.new_page()

    return blank


@pytest.fixture(scope="module")
def visit(blank: Visit, files: dict[str, Path]) -> Visit:
    """Opens the page of a name, everything unfolded unless it is asked for as it comes."""

    @contextmanager
    def visit(name: str, *, unfolded: bool = True, **options) -> Iterator[Page]:
        with blank(**options) as page:
            page.goto(files[name].as_uri())
            if unfolded:
                page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            yield page

    return visit


@pytest.fixture(scope="module", params=PAGES)
def name(request: pytest.FixtureRequest) -> str:
    """Each page in turn."""
    return request.param
