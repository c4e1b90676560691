"""`grade verify` on a course of one small exercise: as declared, and with one thing at a time that is not."""

import io
import json
import subprocess
import sys
from contextlib import nullcontext

import msgspec
import pytest
from rich.console import Console

from grader import cli
from grader.authoring.headers import Header, read_header
from grader.authoring.limits import allowed, allowed_mib, proposed
from grader.authoring.proof import Proposal, Spent
from grader.authoring.verify import verify
from grader.errors import CourseError, UsageError
from grader.model.course import load_course
from reports.terminal.verify import show

SOLUTION = '''\
from torch import nn


class Doubled(nn.Module):
    """Returns twice its input."""

    def forward(self, x):
        """Twice `x`."""
        # BEGIN SOLUTION
        return 2 * x
        # END SOLUTION
'''
CHECKS = '''\
from grader.checks import Formula, cannot_tell, check, fail, gap, works


HINTS = (
    "Which number comes out for 1, and which for 10?",
    "Print the input and the output side by side: by what is each number multiplied, and is it the same for all?",
)


@check(points=2, concept="numbers", hints=HINTS)
def check_doubles(student, draw):
    """The output is twice the input."""
    x = draw.input(4)
    output = student.Doubled()(x)
    factor = round(float((output / x).mean()))
    if gap(output, 2 * x) > 1e-9:
        fail("It is not.", expected="2·x", tag="wrong-scale", formula=Formula(f"{factor}·x", "2·x"))


@check(points=1, concept="side effects", hints=HINTS)
def check_keeps_the_input(student, draw):
    """The input is left alone."""
    x = draw.input(4)
    if gap(student.Doubled().call(x).after[0], x) > 0:
        fail("It is not.", expected="x", tag="inplace-input")
'''
FORWARD = "from torch import nn\n\n\nclass Doubled(nn.Module):\n    def forward(self, x):\n        return {}\n"
THRICE = '# tag: wrong-scale | formula: 3·x | checks: doubles\n"""Thrice."""\n' + FORWARD.format("3 * x")
FILES = {
    "course.toml": 'name = "Small"\nexercises = ["doubled"]\nseed = "a seed"\n',
    "doubled/exercise.toml": 'title = "Doubled"\ndefines = ["Doubled"]\nformula = "2·x"\n',
    "doubled/solution.py": SOLUTION,
    "doubled/checks.py": CHECKS,
    "doubled/mistakes/thrice.py": THRICE,
    "doubled/mistakes/in_place.py": '# tag: inplace-input\n"""On x itself."""\n' + FORWARD.format("x.mul_(2)"),
    "doubled/rewrites/sum.py": '"""A sum."""\n' + FORWARD.format("x + x"),
}
FLAKY = CHECKS + (
    '\n\n@check(points=1, concept="chance")\ndef check_is_lucky(student, draw):\n    """Half of all seeds."""\n'
    '    if float(draw.normal(1)) > 0:\n        fail("It is not.", expected="Luck.", tag="wrong-init")\n'
)
UNDECIDED = CHECKS + (
    '\n\n@check(points=1, concept="doubt")\ndef check_is_decided(student):\n    """It can be told."""\n'
    '    cannot_tell("It cannot.", expected="2·x", staff_note="look")\n'
)
BROKEN_STEPS = (
    CHECKS
    + """

def show_steps(student, draw):
    return draw.nothing
"""
)
BROKEN = CHECKS.replace("x = draw.input(4)\n    if", "x = draw.nothing\n    if")


@pytest.fixture
def course_with(tmp_path):
    """Writes the course with some files changed (None: left out)."""

    def course(changes=()):
        for name, text in {**FILES, **dict(changes)}.items():
            path = tmp_path / "solutions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_course(tmp_path / "solutions")

    return course


@pytest.fixture
def prove(course_with, launch):
    """The proof of the only exercise of the course with these changes."""

    def proof_of(changes=(), seeds=1):
        return verify(course_with(changes), (), seeds, launch)

    return proof_of


def lines(proof):
    return [(fault.file, fault.line, fault.wanted, fault.got) for one in proof.exercises for fault in one.faults]


# As declared ----------------------------------------------------------------------------------------------------------


def test_a_course_that_is_as_declared_is_proven(prove):
    proof = prove(seeds=2)

    assert (proof.proven, proof.broken, lines(proof)) == (True, False, [])
    assert [warning for one in proof.exercises for warning in one.warnings] == []


def test_says_which_mistakes_fail_which_check(prove):
    (exercise,) = prove().exercises

    covered = {one.check: one.mistakes for one in exercise.checks}
    assert covered == {
        "doubles": ("solutions/doubled/mistakes/thrice.py",),
        "keeps_the_input": ("solutions/doubled/mistakes/in_place.py",),
    }


def test_each_file_is_judged_on_each_seed(course_with, launch):
    told = []

    proof = verify(course_with(), ["doubled"], 3, launch, lambda done, total: told.append((done, total)))

    assert [len(judged.seen) for judged in proof.exercises[0].files] == [3] * 5
    assert told == [(done, 15) for done in range(1, 16)]


# Not as declared ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "text", "wanted", "got"),
    [
        ("solution.py", SOLUTION.replace("2 * x", "4 * x"), "all 3 points", "1, lost doubles (wrong-scale)"),
        ("mistakes/thrice.py", THRICE.replace("3 * x", "2 * x"), "points lost for wrong-scale", "all 3 points"),
        ("mistakes/thrice.py", THRICE.replace("wrong-scale", "post-norm"), "post-norm as first diagnosis",
         "wrong-scale (lost doubles)"),
        ("mistakes/thrice.py", THRICE.replace("3 * x", "4 * x"), "the formula 3·x", "4·x"),
        ("mistakes/thrice.py", THRICE.replace(": doubles", ": doubles, keeps_the_input"),
         "exactly these checks failed: doubles, keeps_the_input", "doubles"),
        ("rewrites/sum.py", FORWARD.format("x + 2 * x"), "all 3 points", "1, lost doubles (wrong-scale)"),
    ],
    ids=["solution", "passes", "tag", "formula", "checks", "rewrite"],
)  # fmt: skip
def test_a_file_that_is_not_as_declared_is_told(prove, file, text, wanted, got):
    proof = prove({f"doubled/{file}": text})

    assert lines(proof) == [(f"solutions/doubled/{file}", None, wanted, got)]
    assert not proof.proven


def test_a_stub_that_earns_points_is_told(prove):
    spare = "    def spare(self):\n        # BEGIN SOLUTION\n        return 1\n        # END SOLUTION\n"

    proof = prove({"doubled/solution.py": FORWARD.format("2 * x") + "\n" + spare})

    stub = "solutions/doubled/solution.py (its stub)"
    assert lines(proof) == [(stub, None, "no points", "3 of 3 points, for doubles, keeps_the_input")]


def test_a_right_file_that_a_teacher_would_have_to_look_at_is_told(prove):
    proof = prove({"doubled/checks.py": UNDECIDED})

    told = {file: (wanted, got) for file, _, wanted, got in lines(proof)}
    assert told == {
        f"solutions/doubled/{name}": ("a verdict without a teacher", "needs_review in is_decided")
        for name in ("solution.py", "rewrites/sum.py")
    }


def test_a_verdict_that_depends_on_the_seed_is_told(prove):
    alone = dict.fromkeys(name for name in FILES if "mistakes" in name or "rewrites" in name)

    proof = prove({**alone, "doubled/checks.py": FLAKY}, seeds=6)

    (got,) = [got for file, _, wanted, got in lines(proof) if wanted == "the same on 6 course seeds"]
    assert sorted(got.split("; ")) == ["3 points, wrong-init, lost is_lucky", "4 points, None, lost none"]


def test_a_check_that_could_not_be_carried_out_is_told_with_its_error(prove):
    proof = prove({"doubled/checks.py": BROKEN})

    assert proof.broken
    words = "keeps_the_input could not be carried out: AttributeError: 'Draw' object has no attribute 'nothing'"
    assert ("solutions/doubled/rewrites/sum.py", None, "a verdict", words) in lines(proof)


def test_steps_for_the_page_that_could_not_be_had_are_told_once(prove):
    proof = prove({"doubled/checks.py": BROKEN_STEPS}, seeds=2)

    words = "show_steps could not be carried out: AttributeError: 'Draw' object has no attribute 'nothing'"
    assert lines(proof).count(("solutions/doubled/rewrites/sum.py", None, "steps for the page", words)) == 1
    assert not [wanted for _, _, wanted, _ in lines(proof) if wanted.startswith("the same")]


# What cannot be judged ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ('"""No header."""', "the first line has to be `# tag: TAG`"),
        ("# tag: no-such-tag", "'no-such-tag' is no tag"),
        ("# tag: post-norm | colour: red", "it is '# tag: post-norm | colour: red'"),
        ("# formula: x | tag: post-norm", "the first line has to be `# tag: TAG`"),
    ],
    ids=["none", "unknown", "unknown part", "order"],
)
def test_a_bad_header_is_told_with_its_line(prove, first, words):
    proof = prove({"doubled/mistakes/thrice.py": f"{first}\n{FORWARD.format('3 * x')}"})

    ((file, line, wanted, got),) = lines(proof)
    assert (file, line, wanted) == ("solutions/doubled/mistakes/thrice.py", 1, "a mistake that can be judged")
    assert words in got


def test_a_header_may_name_formula_and_checks():
    assert read_header("# tag: post-norm | formula: Norm(x + F(x)) | checks: one, two\nrest", "file.py") == Header(
        "post-norm", "Norm(x + F(x))", ("one", "two")
    )


def test_a_header_may_name_its_tag_only():
    assert read_header("# tag: post-norm", "file.py") == Header("post-norm", None, None)


def test_a_header_that_cannot_be_read_says_where():
    with pytest.raises(CourseError, match=r"^file\.py:1: "):
        read_header("", "file.py")


def test_a_solution_without_markers_has_no_stub(prove):
    proof = prove({"doubled/solution.py": SOLUTION.replace("# BEGIN", "# begin")})

    ((file, line, wanted, _),) = lines(proof)
    assert (file, line, wanted) == ("solutions/doubled/solution.py", 9, "a stub that can be judged")


def test_a_mistake_that_is_not_text_is_told(prove):
    proof = prove({"doubled/mistakes/thrice.py": b"# tag: post-norm \xff\xfe"})

    ((file, _, wanted, got),) = lines(proof)
    assert (file, wanted) == ("solutions/doubled/mistakes/thrice.py", "a mistake that can be judged")
    assert "utf-8" in got


# What is not covered --------------------------------------------------------------------------------------------------


def test_a_check_that_no_mistake_fails_is_a_warning(prove):
    proof = prove({"doubled/mistakes/in_place.py": None})

    assert proof.exercises[0].warnings == ("doubled: no mistake fails keeps_the_input",)
    assert proof.proven


def test_an_exercise_without_mistakes_or_rewrites_is_a_warning(prove):
    proof = prove(
        dict.fromkeys(("doubled/mistakes/in_place.py", "doubled/mistakes/thrice.py", "doubled/rewrites/sum.py"))
    )

    assert proof.exercises[0].warnings == (
        "doubled has no mistakes: that a wrong file is caught",
        "doubled has no rewrites: that other right files pass",
    )


# What the solution took -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "enough"), [(0.0, 2), (0.1, 2), (0.11, 5), (0.3, 10), (1.0, 20), (1.2, 50), (4.9, 100), (6.0, 200)]
)
def test_a_limit_is_twenty_times_as_long_in_a_round_number(seconds, enough):
    assert allowed(seconds) == enough


def test_limits_go_by_the_fastest_run_of_the_solution():
    proposal = proposed([Spent(0.2, 0.3, "one"), Spent(0.01, 0.7, "two"), Spent(0.1, 0.6, "one")])

    assert proposal == Proposal(Spent(0.01, 0.3, "one"), load_seconds=2, check_seconds=10)


@pytest.mark.parametrize(("used", "enough"), [(0, 512), (128, 512), (129, 1024), (256, 1024), (600, 4096)])
def test_a_limit_of_memory_is_four_times_as_much_in_a_power_of_two(used, enough):
    assert allowed_mib(used) == enough


def test_of_memory_the_run_counts_that_took_most():
    proposal = proposed([Spent(0.2, 0.3, "one", 300), Spent(0.1, 0.2, "two", None), Spent(0.1, 0.6, "one", 20)])

    assert proposal == Proposal(Spent(0.1, 0.2, "two", 300), load_seconds=2, check_seconds=5, memory_mib=2048)


@pytest.mark.skipif(sys.platform != "linux", reason="nobody tells")
def test_what_the_solution_takes_of_memory_is_measured(prove):
    spare = SOLUTION.replace("return 2 * x", "spare = x.new_ones(64, 1 << 17)\n        return 2 * x + 0 * spare[0, 0]")

    (exercise,) = prove({"doubled/solution.py": spare}).exercises

    assert 64 <= exercise.limits.spent.memory_mib < 128
    assert exercise.limits.memory_mib == allowed_mib(exercise.limits.spent.memory_mib)


def test_limits_are_proposed_from_the_solution_alone(prove):
    (exercise,) = prove(seeds=2).exercises

    (solution,) = [judged for judged in exercise.files if judged.kind == "solution"]
    assert exercise.limits == proposed(solution.spent)
    assert exercise.limits.spent.slowest in ("doubles", "keeps_the_input")


def test_without_a_solution_that_can_be_judged_no_limits_are_proposed(prove):
    (exercise,) = prove({"doubled/solution.py": b"\xff"}).exercises

    assert exercise.limits is None


# The command ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def call(course_with, launch, monkeypatch, capfdbinary):
    """Runs `grade verify` in this process; returns exit code, stdout and stderr."""
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))

    def run(*arguments, changes=()):
        course = course_with(changes)
        monkeypatch.setattr(sys, "argv", ["grade", "verify", "--course", course.root, *arguments])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *(text.decode() for text in capfdbinary.readouterr())

    return run


@pytest.mark.parametrize(
    ("changes", "code"),
    [({}, 0), ({"doubled/mistakes/thrice.py": FORWARD}, 1), ({"doubled/checks.py": BROKEN}, 3)],
    ids=["proven", "not proven", "broken"],
)
def test_the_exit_code_says_what_came_out(call, changes, code):
    assert call("--seeds", "1", changes=changes)[0] == code


def test_an_unknown_exercise_is_a_wrong_call_that_names_the_known_ones(call):
    code, out, words = call("tripled")

    assert (code, out) == (2, "")
    assert "tripled" in words
    assert "doubled" in words.replace("tripled", "")


def test_an_unknown_exercise_is_refused_before_anything_is_judged(course_with):
    with pytest.raises(UsageError, match="The course has doubled"):
        verify(course_with(), ["tripled"], 1, launcher=None)


def test_json_is_all_that_is_printed(call):
    _, out, words = call("--json", "--seeds", "1")

    proof = json.loads(out)
    assert (proof["proven"], proof["broken"], words) == (True, False, "")
    (exercise,) = proof["exercises"]
    assert exercise["checks"][0]["mistakes"] == ["solutions/doubled/mistakes/thrice.py"]
    assert exercise["limits"]["memory_mib"] == (512 if sys.platform == "linux" else None)
    assert proof["limits"]["check_seconds"] == 10


def test_the_command_loads_neither_torch_nor_pytest():
    program = "import sys, grader.authoring.verify; print({'torch', 'pytest', 'click', 'rich'} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def shown(proof):
    out = io.StringIO()
    show({**msgspec.to_builtins(proof), "proven": proof.proven}, Console(file=out, width=100))
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_shows_each_check_with_its_mistakes_and_the_only_one(prove):
    rows = shown(prove())

    assert rows[:4] == [
        "doubled: 2 mistakes and 1 rewrite on 1 seed",
        "check mistakes that fail it the only one",
        "doubles 1 thrice.py",
        "keeps_the_input 1 in_place.py",
    ]
    assert rows[-1] == "Proven: everything is as declared."


@pytest.mark.parametrize(
    ("memory", "told", "proposal"),
    [
        (None, "Memory is not measured here.", []),
        (100, "It took 100 MiB beside PyTorch.", ["proposed: memory_mib = 8192 (2048 is in force)"]),
        (1025, "It took 1025 MiB beside PyTorch.", ["proposed: memory_mib = 8192; 2048 is in force, which is tight"]),
    ],
)
def test_shows_what_the_solution_took_and_where_less_is_allowed(prove, memory, told, proposal):
    proof = prove({"course.toml": FILES["course.toml"] + "[limits]\ncheck_seconds = 8\n"})
    limits = Proposal(Spent(0.25, 1.634, "doubles", memory), load_seconds=5, check_seconds=50, memory_mib=8192)
    exercises = tuple(msgspec.structs.replace(one, limits=limits) for one in proof.exercises)

    rows = shown(msgspec.structs.replace(proof, exercises=exercises))

    assert rows[4:-1] == [
        f"The solution was loaded in 0.25 s; its slowest check (doubles) took 1.63 s. {told}",
        "proposed: load_seconds = 5 (10 is in force)",
        "proposed: check_seconds = 50; 8 is in force, which is tight",
        *proposal,
    ]


def test_shows_each_fault_in_a_line_and_equal_ones_once(prove):
    wrong = THRICE.replace(": doubles", ": keeps_the_input")
    bad = {f"doubled/mistakes/{name}.py": wrong for name in ("thrice", "three")}
    bad["doubled/mistakes/four.py"] = "none\n"

    rows = shown(prove(bad))

    assert rows[-3:] == [
        "solutions/doubled/mistakes/four.py:1: wanted a mistake that can be judged; got the first line has to be "
        "`# tag: TAG`, then perhaps ` | formula: FORMULA` and ` | checks: NAME, NAME`; it is 'none'",
        "solutions/doubled/mistakes/three.py (and 1 more): wanted exactly these checks failed: keeps_the_input; "
        "got doubles",
        "Not proven: 3 things are not as declared.",
    ]


def test_shows_what_is_not_covered(prove):
    rows = shown(prove({"doubled/mistakes/in_place.py": None}))

    assert "Warning: doubled: no mistake fails keeps_the_input." in rows
