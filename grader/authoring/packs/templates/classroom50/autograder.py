"""The autograder of Classroom 50 for one assignment: put this folder at `<classroom>/autograders/<assignment>/`.

It runs in the student's checkout, and ends with 0 whenever grading came to its end: the points are in ./result.json.
Anything else is an error of the infrastructure. The folder is public, so it has the visible checks only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(os.environ.get("CLASSROOM50_BUNDLE_DIR") or Path(__file__).parent).resolve()
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
RESULT, PAGE = Path("result.json"), Path("feedback.html")
MOST_SECONDS = 900


def install() -> None:
    """The grader, with torch for the CPU."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "-c", str(HERE / "constraints-grade.txt")]
    subprocess.run([*pip, "--index-url", CPU_WHEELS, "torch"], check=True, cwd=HERE)
    subprocess.run([*pip, "-r", str(HERE / "requirements-grade.txt")], check=True, cwd=HERE)


def main() -> int:
    """Grade what is here; a result that the student handed in is never taken for ours."""
    for file in (RESULT, PAGE):
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        file.unlink(missing_ok=True)
    if "--no-install" not in sys.argv:
        install()
    with tempfile.TemporaryDirectory() as out:
        grade = [sys.executable, "-P", "-m", "grader", "--isolated", "submit", "exercises/"]
        course = ["--course", str(HERE / "grade-course")]
        command = [*grade, *course, "--out", out, "--format", "classroom50", "--exit-zero"]
        ended = subprocess.run(command, check=False, timeout=MOST_SECONDS)
        if ended.returncode:
            return ended.returncode
        shutil.copyfile(Path(out) / RESULT.name, RESULT)
        shutil.copyfile(Path(out) / "report.html", PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
