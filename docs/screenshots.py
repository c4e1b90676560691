"""Makes the pictures of the documentation, and the excerpt of a terminal in the README.

`python docs/screenshots.py [BROWSER]`, with Chromium or Chrome on the PATH or named. All that they show is really
graded for it (the class of 200 by docs/synthetic_class.py, which takes some minutes), so it is what the checks of today
say. `docs/pages.md` shows the pages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"
SOLUTIONS = ROOT / "solutions"
PAGES = {  # picture: what stands in place of the solution of an exercise
    "right": {},
    "missing_skip": {"residual_add": "mistakes/missing_skip.py"},
    "post_norm": {"transformer_block": "mistakes/post_norm.py"},
    "not_imported": {"residual_add": "../../tests/cases/residual_add/wrong/does_not_run.py"},
}
MARK = "<!-- made by docs/screenshots.py -->\n```text\n"
EXERCISE = "transformer_block"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WIDTH, HEIGHT = 900, 1300
MOST_BYTES = 250_000


def grade(folder: Path, *call: str) -> str:
    """Run `grade` with `folder` as the working folder; what was printed. Results are in its folder grade-out."""
    command = [sys.executable, "-m", "grader", *call]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "GRADE_COURSE": str(SOLUTIONS)}
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, encoding="utf-8", env=environment
    ).stdout


def submission(folder: Path, changed: dict[str, str]) -> Path:
    """The solutions of the course as a submission, with some of the files changed."""
    made = folder / "exercises"
    made.mkdir()
    for solution in SOLUTIONS.glob("*/solution.py"):
        name = solution.parent.name
        shutil.copy(solution.parent / changed.get(name, "solution.py"), made / f"{name}.py")
    return made


def excerpt(printed: str) -> str:
    """The part about EXERCISE up to the end, with `…` in place of checks that passed."""
    lines = printed[printed.index(f"{EXERCISE} ") :].splitlines()
    kept: list[str] = []
    passing = False
    for line in lines:
        if line.startswith("  ✓"):
            kept += [] if passing else ["  …"]
            passing = True
        elif not (passing and line.startswith("     ")):  # deeper lines go on with the title above
            kept.append(line)
            passing = False
    return "\n".join(kept) + "\n"


def shown_in_readme() -> str:
    """The excerpt that the README has now."""
    return README.read_text(encoding="utf-8").partition(MARK)[2].partition("```")[0]


def photograph(page: Path, picture: Path) -> None:
    """The top of the page, in a browser without a window and without a profile of its own."""
    with tempfile.TemporaryDirectory() as profile:
        rights = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium asks for it when it is started as root
        subprocess.run(
            [browser(), "--headless", "--disable-gpu", "--hide-scrollbars", *rights, f"--user-data-dir={profile}",
             f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}", page.as_uri()],
            check=True, stderr=subprocess.DEVNULL, timeout=60,
        )  # fmt: skip


def browser() -> str:
    """The browser to use: the one that was named, else the first that is there."""
    found = sys.argv[1] if sys.argv[1:] else next((name for name in BROWSERS if shutil.which(name)), None)
    if found is None:
        raise SystemExit(f"No browser was found. Name one: python {sys.argv[0]} /path/to/chrome")
    return found


def picture(page: Path, name: str) -> None:
    """Photograph the page, and refuse a picture that is too large to be kept."""
    made = IMAGES / f"{name}.png"
    photograph(page, made)
    if made.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{made} has {made.stat().st_size} bytes; at most {MOST_BYTES} are wanted.")
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size} bytes")


def main() -> None:
    """Grade, write the excerpt, take the pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        printed = grade(Path(folder), "submit", str(ROOT / "examples" / "submission"), "--exit-zero")
        text = README.read_text(encoding="utf-8")
        README.write_text(text.replace(MARK + shown_in_readme(), MARK + excerpt(printed)), encoding="utf-8")
        picture(Path(folder) / "grade-out" / "report.html", "report")
    for name, changed in PAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            grade(Path(folder), "submit", str(submission(Path(folder), changed)), "--exit-zero")
            picture(Path(folder) / "grade-out" / "report.html", name)
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "records"
        subprocess.run([sys.executable, str(ROOT / "docs" / "synthetic_class.py"), str(records)], check=True)
        grade(Path(folder), "report", str(records), "--overrides", str(records / "overrides.csv"))
        picture(Path(folder) / "grade-out" / "class.html", "class")


if __name__ == "__main__":
    main()
