"""docs/authoring.md leads from nothing to a published exercise: what it marks is written and run exactly as it stands.

`<!-- file: PATH -->` before a block: it is that file. `<!-- run -->`, `<!-- run: exit 1 -->`: its commands, and how the
last one ends. `<!-- prints -->`: what that one shows, `…` for anything.
"""

import contextlib
import html
import json
import re
import shlex
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from grader import cli
from grader.authoring.stub import marked_blocks

GUIDE = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")
MARKED = re.compile(r"^<!-- (file|run|prints)(?:: (.*?))? -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS = [match.groups() for match in MARKED.finditer(GUIDE)]


@pytest.fixture(scope="module")
def followed(launch, tmp_path_factory):
    """The folder in which everything was done, and for each block of commands how and with which words it ended."""
    folder = tmp_path_factory.mktemp("author")
    done = []
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patched:
        patched.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))
        patched.setenv("COLUMNS", "120")
        for kind, argument, text in STEPS:
            if kind == "file":
                Path(argument).parent.mkdir(parents=True, exist_ok=True)
                Path(argument).write_text(text, encoding="utf-8")
            elif kind == "run":
                done.append([run(patched, command) for command in text.splitlines()])
    return folder, done


def run(patched, command):
    """Exit code and stdout of a command of the guide; `grade` runs in this process."""
    program, *arguments = shlex.split(command)
    if program == "rm":
        for path in arguments:
            Path(path).unlink()
        return 0, ""
    assert program == "grade"
    patched.setattr(sys, "argv", ["grade", *arguments])
    printed = Path("printed.txt")
    with (
        printed.open("w", encoding="utf-8") as file,
        contextlib.redirect_stdout(file),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    return ended.value.code, printed.read_text(encoding="utf-8").replace("\\", "/")


def test_every_kind_of_step_is_marked():
    assert {kind for kind, _, _ in STEPS} == {"file", "run", "prints"}
    assert GUIDE.count("<!-- ") == len(STEPS)


def test_each_command_ends_as_the_guide_says(followed):
    wanted = [
        [0] * (len(text.splitlines()) - 1) + [int((argument or "exit 0").removeprefix("exit "))]
        for kind, argument, text in STEPS
        if kind == "run"
    ]

    assert [[code for code, _ in block] for block in followed[1]] == wanted


def test_each_command_prints_what_the_guide_shows(followed):
    runs = -1
    for kind, _, text in STEPS:
        runs += kind == "run"
        if kind == "prints":
            shown, printed = (" ".join(words.split()) for words in (text, followed[1][runs][-1][1]))
            assert re.fullmatch(re.escape(shown).replace("…", ".*"), printed)


def test_what_students_get_is_what_the_guide_says(followed):
    names = {path.name for path in (followed[0] / "exercises").iterdir()}

    assert names == {"rms_norm.py", "rms_norm.ipynb", "README.md"}


ARCHIVE = "ci/gradescope/autograder.zip"


def strings(data):
    """Every text in what JSON holds."""
    if isinstance(data, str):
        return [data]
    inner = [*data, *data.values()] if isinstance(data, dict) else data if isinstance(data, list) else []
    return [text for one in inner for text in strings(one)]


def built(folder):
    """The text of everything that was made, by its path, as a reader sees it; without the instructors' side."""
    texts = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("solutions/") and name != ARCHIVE:
            text = path.read_text(encoding="utf-8")
            is_json = path.suffix in (".json", ".ipynb")
            texts[name] = "\n".join(strings(json.loads(text))) if is_json else html.unescape(text)
    return texts


def private_lines(folder):
    """What no student may read of the exercise: its seed, the hidden check, what stands between the markers."""
    root = folder / "solutions"
    (seed,) = re.findall(r'^seed = "(.*?)"', (root / "course.toml").read_text(encoding="utf-8"), re.MULTILINE)
    checks = (root / "rms_norm" / "checks.py").read_text(encoding="utf-8")
    (hidden,) = re.findall(r"^def check_divides.*?(?=^@)", checks, re.MULTILINE | re.DOTALL)
    blocks = marked_blocks((root / "rms_norm" / "solution.py").read_text(encoding="utf-8"), "solution.py")
    known = "".join(path.read_text(encoding="utf-8") for name in ("mistakes", "rewrites")
                    for path in (root / "rms_norm" / name).iterdir())  # fmt: skip
    lines = [line.strip() for line in "\n".join([hidden.partition('"""\n')[2], *blocks]).splitlines()]
    return [seed, *(line for line in lines if len(line) > 20 and line not in known)]


def test_everything_for_repositories_and_platforms_is_built(followed):
    made = built(followed[0]).keys()

    wanted = {
        "ci/github/student/.github/workflows/grade.yml",
        "ci/github/student/grade-course/rms_norm/checks.py",
        "ci/github/instructor/.github/workflows/grade-class.yml",
        "ci/gitlab/student/.gitlab-ci.yml",
        "ci/gitlab/student/grade-course/rms_norm/checks.py",
        "ci/classroom50/autograder.py",
        "ci/classroom50/grade-course/rms_norm/checks.py",
        "exercises/rms_norm.ipynb",
        "grade-out/report.html",
    }
    assert wanted - made == set()
    checks = followed[0] / "ci/github/student/grade-course/rms_norm/checks.py"
    assert "check_has_a_scale_to_train" in checks.read_text(encoding="utf-8")


def test_nothing_private_is_in_anything_that_was_built(followed):
    canaries = private_lines(followed[0])
    assert len(canaries) > 8

    texts = built(followed[0])
    assert [(name, canary) for name, text in texts.items() for canary in canaries if canary in text] == []
    shown = "\n".join(text for name, text in texts.items() if name.startswith(("ci/", "exercises/")))
    assert not re.search(r"check_divides|# tag: |nn\.RMSNorm|A layer norm: the mean", shown)


def test_the_archive_for_gradescope_holds_what_the_search_would_find(followed):
    with zipfile.ZipFile(followed[0] / ARCHIVE) as archive:
        everything = "\n".join(archive.read(name).decode() for name in archive.namelist())

    assert [canary for canary in private_lines(followed[0]) if canary not in everything] == []
    assert "# tag: " not in everything


def test_a_check_of_the_guide_is_short():
    (checks,) = [text for kind, path, text in STEPS if kind == "file" and path.endswith("checks.py")]

    bodies = [part.partition('"""\n')[2] for part in re.split(r"^def ", checks, flags=re.MULTILINE)[1:]]
    assert max(len(body.split("\n\n\n")[0].strip().splitlines()) for body in bodies) <= 15
