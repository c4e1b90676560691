"""Makes what the README shows: docs/images/report.png, and the excerpt of a terminal in the README itself.

`python docs/screenshots.py [BROWSER]`, with Chromium or Chrome on the PATH or named. The example submission is really
graded for it, so picture and excerpt show what the checks of today say.
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
PICTURE = ROOT / "docs" / "images" / "report.png"
MARK = "<!-- made by docs/screenshots.py -->\n```text\n"
EXERCISE = "transformer_block"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WIDTH, HEIGHT = 900, 900
MOST_BYTES = 200_000


def grade(folder: Path) -> str:
    """Grade the example with `folder` as the working folder; what was printed. The page is grade-out/report.html."""
    command = [sys.executable, "-m", "grader", "submit", str(ROOT / "examples" / "submission"), "--exit-zero"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, encoding="utf-8", env=environment
    ).stdout


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


def main() -> None:
    """Grade, write the excerpt, take the picture, and refuse one that is too large for a README."""
    with tempfile.TemporaryDirectory() as folder:
        text = README.read_text(encoding="utf-8")
        README.write_text(text.replace(MARK + shown_in_readme(), MARK + excerpt(grade(Path(folder)))), encoding="utf-8")
        PICTURE.parent.mkdir(exist_ok=True)
        photograph(Path(folder) / "grade-out" / "report.html", PICTURE)
    size = PICTURE.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{PICTURE} has {size} bytes; at most {MOST_BYTES} are wanted.")
    print(f"{PICTURE.relative_to(ROOT)}: {size} bytes")


if __name__ == "__main__":
    main()
