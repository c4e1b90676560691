"""One judge, many submissions: checks are collected once, and every submission is judged as if it were the first."""

import shutil
from pathlib import Path

import msgspec
import pytest

from grader.errors import GradeError
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.model.results import Formula
from grader.pipeline import JUDGE, judge

HEAD = """\
import pytest

from grader.checks import check

EARLIER = []


@pytest.fixture
def numbers():
    return [1, 2]


"""
DRAWS = '''
@check(points=1, concept="c", visible=True)
def check_draws(student, draw, numbers):
    """Shows what it draws, and how often this file was imported."""
    numbers.append(3)
    EARLIER.append(numbers)
    student.show(drawn=draw.input(2, 3).tolist(), numbers=numbers, calls=len(EARLIER))
'''
RAISES = '''
@check(points=1, concept="c")
def check_fixture(student, broken):
    """Never comes to run."""


@pytest.fixture
def broken():
    raise ZeroDivisionError("the author's")
'''
SKIPS = '''
@check(points=1, concept="c")
def check_skips(student):
    """Skips itself."""
    pytest.skip("not today")
'''
NO_CHECK = '''
@check(points=1, concept="c", part="Other")
def check_of_a_part(student):
    """Looks at a part that nobody listed."""
'''


@pytest.fixture
def course(tmp_path):
    """Makes a course of one exercise whose checks are these, with another seed if wanted."""

    def made(checks, *, seed="s", name="course"):
        folder = tmp_path / name / "one"
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / "course.toml").write_text(f'name = "One"\nexercises = ["one"]\nseed = "{seed}"\n')
        (folder / "exercise.toml").write_text('title = "One"\ndefines = ["One"]\nformula = "x"\n')
        (folder / "solution.py").write_text("class One:\n    pass\n")
        (folder / "checks.py").write_text(HEAD + checks)
        return load_course(folder.parent)

    return made


@pytest.fixture
def handed_in(write):
    return write({"one.py": "from torch import nn\n\n\nclass One(nn.Module):\n    pass\n"})


@pytest.fixture
def asked(line, handed_in):
    """The one exercise's result, from the judge of this module."""

    def at(course, line=line):
        return judge(line, Job(course, accept(handed_in, course)), lambda _: None).results[0]

    return at


def evidence(result):
    return result.checks[0].evidence


def test_checks_are_imported_once_for_several_submissions(asked, course):
    same = course(DRAWS)

    calls = [evidence(asked(same))["calls"] for _ in range(3)]

    assert calls == [1, 2, 3]


def test_checks_are_imported_once_where_submissions_of_two_exercises_take_turns(line, course, write):
    folder = Path(course(DRAWS, name="two").root)
    shutil.copytree(folder / "one", folder / "other")
    exercise = (folder / "other/exercise.toml").read_text().replace('["One"]', '["Other"]')
    (folder / "other/exercise.toml").write_text(exercise)
    (folder / "other/solution.py").write_text("class Other:\n    pass\n")
    (folder / "course.toml").write_text('name = "Two"\nexercises = ["one", "other"]\nseed = "s"\n')
    both = load_course(folder)
    source = "from torch import nn\n\n\nclass {}(nn.Module):\n    pass\n"
    files = {name: write({f"{name}.py": source.format(name.title())}) for name in ("one", "other")}

    def seen(name):
        (result,) = judge(line, Job(both, accept(files[name], both, only=(name,))), lambda _: None).results
        return result.name, evidence(result)["calls"]

    turns = [("one", 1), ("other", 1), ("one", 1), ("other", 2), ("one", 2)]  # the second asks for checks of its own
    assert [seen(name) for name, _ in turns] == turns


def test_fixtures_are_made_anew_for_each_submission(asked, course):
    same = course(DRAWS)

    assert [evidence(asked(same))["numbers"] for _ in range(2)] == [[1, 2, 3]] * 2


def test_same_checks_with_another_seed_draw_other_numbers(asked, course):
    first = course(DRAWS)
    second = msgspec.structs.replace(first, seed="another")

    drawn = [evidence(asked(one))["drawn"] for one in (first, second, first)]

    assert drawn[0] == drawn[2] != drawn[1]


def test_judge_with_a_past_finds_what_a_new_one_finds(asked, course, launch):
    one = course(DRAWS)
    asked(one)

    with launch.judge(JUDGE) as new:
        assert evidence(asked(one))["drawn"] == evidence(asked(one, new))["drawn"]


def test_checks_that_were_changed_are_read_again(asked, course):
    before = asked(course(DRAWS))
    after = asked(course(DRAWS.replace("points=1", "points=2")))

    assert (before.checks[0].points, after.checks[0].points) == (1, 2)


@pytest.mark.parametrize(
    ("checks", "words"),
    [
        (RAISES, "check_fixture was not run.*the author's"),
        (SKIPS, "check_skips was not run.*not today"),
        (NO_CHECK, "part 'Other', which exercise.toml does not list"),
        ("def check_plain(student):\n    pass\n", "lacks `@check"),
        ("\n", "holds no check of the exercise"),
        ("1 / 0\n", "checks.py cannot be used.*ZeroDivisionError"),
    ],
    ids=["fixture", "skips", "part", "undeclared", "empty", "raises"],
)
def test_checks_that_cannot_run_are_the_courses_fault_and_no_others(asked, course, checks, words):
    with pytest.raises(GradeError, match=f"(?s){words}"):
        asked(course(checks, name="broken"))

    assert asked(course(DRAWS)).points == 1


def test_what_was_found_once_is_kept_for_the_next_check_of_a_submission_only(asked, course):
    twice = '''
@check(points=1, concept="c")
def check_first(student):
    """Finds."""
    student.computes(student.once("found", lambda: FOUND[len(EARLIER)]))


@check(points=1, concept="c")
def check_second(student):
    """Reads."""
    EARLIER.append(1)
    student.computes(student.once("found", lambda: FOUND[len(EARLIER)]))


from grader.model.results import Formula

FOUND = [Formula("a", "a"), Formula("b", "b"), Formula("c", "c")]
'''
    same = course(twice)

    formulas = [[check.formula for check in asked(same).checks] for _ in range(2)]

    assert formulas == [[Formula("a", "a")] * 2, [Formula("b", "b")] * 2]
