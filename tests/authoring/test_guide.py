"""docs/authoring.md leads from nothing to a published exercise: what it marks is written and run exactly as it stands.

`<!-- file: PATH -->` before a block: it is that file. `<!-- run -->`, `<!-- run: exit 1 -->`: its commands, and how the
last one ends. `<!-- prints -->`: what that one shows, `…` for anything.
"""

import contextlib
import re
import shlex
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from grader import cli

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


def test_a_check_of_the_guide_is_short():
    (checks,) = [text for kind, path, text in STEPS if kind == "file" and path.endswith("checks.py")]

    bodies = [part.partition('"""\n')[2] for part in re.split(r"^def ", checks, flags=re.MULTILINE)[1:]]
    assert max(len(body.split("\n\n\n")[0].strip().splitlines()) for body in bodies) <= 15
