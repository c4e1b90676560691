"""A folder of cases, right and wrong files of many hands, graded through the whole pipeline by `bench.cases`.

Each file gets what its manifest says: the verdict, the tag that is read first, and the formula and the lost checks
where they are named. The few files that prove each exercise to its author are tried in tests/test_exercises.py.
"""

import json
from pathlib import Path

import msgspec
import pytest

from bench import cases
from grader.model.course import load_course

FOLDER = Path(__file__).parents[1] / "cases"
CASES = msgspec.json.decode((FOLDER / "manifest.json").read_bytes(), type=list[cases.Case])
COURSE = load_course(Path(__file__).parents[2] / "solutions")


@pytest.fixture(scope="module")
def outcomes(launch):
    """Every case, graded once: file → outcome."""
    return {one.file: one for one in cases.grade(FOLDER, CASES, COURSE, launch)}


@pytest.mark.parametrize("file", [case.file for case in CASES if case.verdict == "pass"])
def test_a_right_file_gets_full_marks_and_nobody_has_to_look(outcomes, file):
    one = outcomes[file]

    assert (one.verdict, one.lost, one.needs_review) == ("passed", (), ())


@pytest.mark.parametrize("file", [case.file for case in CASES if case.verdict == "fail"])
def test_a_wrong_file_loses_points_and_its_mistake_is_named(outcomes, file):
    one = outcomes[file]

    assert one.verdict == "failed"
    assert one.tag == one.wanted_tag, one.happened


def test_the_formula_is_the_one_that_the_manifest_names(outcomes):
    named = [one for one in outcomes.values() if one.formula_right is not None]

    assert len(named) > 200
    assert [cases.told(one) for one in named if not one.formula_right] == []


def test_the_checks_that_the_manifest_names_are_lost_and_no_other(outcomes):
    named = [one for one in outcomes.values() if one.wanted_lost is not None]

    assert named
    assert [cases.told(one) for one in named if not one.checks_right] == []


def test_every_check_can_be_carried_out(outcomes):
    assert {file: one.broken for file, one in outcomes.items() if one.broken} == {}


def test_what_is_read_first_is_neither_too_long_nor_too_short_nor_too_hard(outcomes):
    assert {file: one.complaints for file, one in outcomes.items() if one.complaints} == {}


def test_there_are_wrong_files_of_every_exercise():
    assert {case.exercise for case in CASES if case.verdict == "fail"} == {one.name for one in COURSE.exercises}


def test_a_course_seed_changes_no_outcome(launch):
    few = [case for case in CASES if case.exercise == "residual_add"][::16]
    runs = [
        list(cases.grade(FOLDER, few, msgspec.structs.replace(COURSE, seed=seed), launch))
        for seed in ("one", "another")
    ]

    assert cases.unstable(runs) == []


def outcome(**changes):
    plain = {
        "file": "f.py", "exercise": "residual_add", "wanted": "fail", "verdict": "failed", "wanted_tag": "missing-skip",
        "tag": "missing-skip", "wanted_formula": "F(Norm(x))", "formula": "F(Norm(x))", "happened": "", "lost": (),
        "wanted_lost": None, "broken": (), "complaints": (), "needs_review": (), "tag_right": True,
        "formula_right": True, "seconds": 0.1,
    }  # fmt: skip
    return cases.Outcome(**{**plain, **changes})


def test_totals_count_what_is_wrong():
    outcomes = [
        outcome(),
        outcome(verdict="passed", tag=None, tag_right=False, formula=None, formula_right=False),
        outcome(wanted="pass", tag_right=None, formula_right=None),
        outcome(wanted="pass", verdict="passed", needs_review=("a",), tag_right=None, formula_right=None),
    ]

    assert cases.totals(outcomes) == {
        "files": 4, "false_failures": 1, "false_passes": 1, "tag_right": 1, "tag_total": 2, "formula_right": 1,
        "formula_total": 2, "needs_review": 1,
    }  # fmt: skip


def test_a_wrong_file_that_a_teacher_is_asked_to_look_at_did_not_pass():
    assert not outcome(verdict="passed", needs_review=("a",)).false_pass


@pytest.mark.parametrize(
    ("wanted", "lost", "right"),
    [(None, ("a",), True), (("b", "a"), ("a", "b"), True), (("a",), ("a", "b"), False), (("a", "b"), ("a",), False)],
)
def test_lost_checks_are_right_if_all_that_are_named_are_lost_and_no_other(wanted, lost, right):
    one = outcome(wanted_lost=wanted, lost=lost)

    assert one.checks_right is right
    assert one.differs is not right
    assert ("to be lost" in cases.told(one)) is not right


def test_a_manifest_with_an_unknown_exercise_is_refused(launch):
    with pytest.raises(ValueError, match="no exercise gpt"):
        list(cases.grade(FOLDER, [cases.Case("a.py", "gpt", "pass", "ok")], COURSE, launch))


def test_json_holds_totals_and_every_file(tmp_path, capsys):
    wanted = [case for case in CASES if case.file == "residual_add/wrong/no_skip.py"]
    (tmp_path / "residual_add" / "wrong").mkdir(parents=True)
    (tmp_path / wanted[0].file).write_bytes((FOLDER / wanted[0].file).read_bytes())
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(wanted))

    code = cases.main(cases.parser().parse_args([str(tmp_path), "--json"]))

    printed = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(printed["totals"]) == set(cases.TOTALS)
    assert [one["file"] for one in printed["files"]] == ["residual_add/wrong/no_skip.py"]
