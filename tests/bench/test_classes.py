"""The made-up class: read back from each platform's download, and graded as planned."""

from pathlib import Path

import msgspec
import pytest

from bench.class_downloads import LAYOUTS, number_of, write_class
from bench.class_members import FULL, HOSTILE, NOTHING, ODD, SOLUTIONS, Member, answered, drawn_from, members
from bench.classes import Run, differences, growth, run
from bench.submissions import known, tag_of
from grader.intake.classes import each, read_class
from grader.intake.classes.recognise import LAYOUTS as READ
from grader.intake.parsing import Parsers
from grader.model.course import load_course
from grader.model.record import Record

RECORDS = Path(__file__).parents[1] / "samples" / "records"


def test_there_is_a_download_of_every_platform():
    assert set(LAYOUTS) == set(READ)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_download_holds_everybody_with_all_their_files(layout, tmp_path):
    everybody = list(members(60))
    write_class(tmp_path / "class.zip", everybody, layout)

    handed_in = read_class(tmp_path / "class.zip")
    there = {number_of(one.key): contents for one, contents in each(handed_in)}

    assert handed_in.layout == layout
    assert len(handed_in.hand_ins) == len(there) == 60
    for one in everybody:
        code = [data for name, data in one.files.items() if name.endswith((".py", ".ipynb"))]
        assert not code or sorted(there[one.number].files.values()) == sorted(code), one


def test_the_class_is_the_same_each_time_and_has_all_kinds():
    first, second = list(members(500)), list(members(500))

    assert first == second
    kinds = {one.kind for one in first}
    assert kinds == {"right", "wrong", *(f"odd: {one}" for one in ODD), *(f"hostile: {one}" for one in HOSTILE)}
    planned = {what for one in first for what in one.planned.values()}
    assert {FULL, NOTHING} < planned
    assert len(planned) > 30  # tags of mistakes


BLOCK = "class TransformerBlock:\n    def forward(self, x):\n        return x\n"
RESIDUAL = BLOCK.replace("TransformerBlock", "ResidualAdd")


@pytest.mark.parametrize(
    ("source", "exercises"),
    [
        (BLOCK, ("transformer_block",)),
        (RESIDUAL + BLOCK, ("residual_add", "transformer_block")),
        ("from residual_add import ResidualAdd\n" + BLOCK, ("transformer_block",)),
        ("x = 1\n", ()),
    ],
)
def test_a_file_answers_the_exercises_whose_classes_it_defines(source, exercises, tmp_path):
    path = tmp_path / "transformer_block.py" if exercises else tmp_path / "work.py"
    path.write_text(source)

    with Parsers() as parsers:
        assert answered(path, load_course(SOLUTIONS), parsers) == exercises


def test_a_file_that_answers_another_exercise_as_well_is_not_drawn():
    wrapper = SOLUTIONS / "transformer_block" / "rewrites" / "residual_wrapper.py"

    assert wrapper in known("transformer_block", are_right=True)
    assert wrapper not in drawn_from(are_right=True)["transformer_block"]


@pytest.mark.parametrize(("are_right", "folders"), [(True, {"rewrites", "correct"}), (False, {"mistakes", "wrong"})])
def test_cases_are_drawn_beside_the_files_of_each_required_exercise(are_right, folders):
    drawn = drawn_from(are_right=are_right)

    assert list(drawn) == ["residual_add", "deep_network", "transformer_block"]
    assert [{path.parts[-2] for path in paths} for paths in drawn.values()] == [folders] * 3


def test_the_tag_of_a_wrong_file_is_in_the_manifest_or_in_its_first_line():
    (case,) = (path for path in known("residual_add", are_right=False) if path.name == "no_skip.py")

    assert tag_of(case) == "missing-skip"
    assert tag_of(SOLUTIONS / "residual_add" / "mistakes" / "post_norm.py") == "post-norm"


def record(kind):
    """What was found in a sample."""
    return msgspec.json.decode((RECORDS / f"{kind}.json").read_bytes(), type=Record)


@pytest.mark.parametrize(
    ("kind", "planned", "told"),
    [
        ("missing_skip", {"residual_add": "missing-skip"}, []),
        ("full_marks", {"residual_add": FULL}, []),
        ("missing_skip", {"residual_add": FULL}, ["planned was full marks"]),
        ("missing_skip", {"residual_add": NOTHING}, ["planned was no points"]),
        ("missing_skip", {"residual_add": "double-norm"}, ["planned was double-norm"]),
        ("full_marks", {"residual_add": "missing-skip"}, ["planned was missing-skip"]),
        ("full_marks", {"residual_add": FULL, "deep_network": FULL}, ["no deep_network"]),
    ],
)
def test_a_verdict_that_is_not_as_planned_is_told(kind, planned, told):
    found = list(differences([Member(7, "right", {}, planned)], [("student0007", record(kind))]))

    assert [any(one.endswith(end) for one in found) for end in told] == [True] * len(found)


def test_a_row_that_is_missing_is_told():
    everybody = [Member(number, "right", {}, {"residual_add": FULL}) for number in (7, 8)]

    found = list(differences(everybody, [("190007", record("full_marks"))]))

    assert found == ["2 submissions, 1 rows", "8 (right): no row"]


def test_a_row_of_somebody_else_is_told():
    found = list(differences([Member(7, "right", {}, {})], [("block", record("full_marks"))]))

    assert found == ["7 (right): no row"]


def test_memory_that_grows_with_the_class_is_told():
    small, same, more = (Run("canvas", size, 1.0, peak, ()) for size, peak in ((10, 50.0), (40, 55.0), (40, 80.0)))

    assert list(growth(small, same)) == []
    assert list(growth(small, more)) == ["memory grows: 50 MiB for 10 submissions, 80 MiB for 40"]


def test_a_class_is_graded_as_planned():
    done = run(12, "canvas")

    assert done.differs == ()
    assert done.peak_mib > 0
