"""What judges is judged: the solutions earn all points, the stubs none, each known mistake is caught and named.

The first line of a mistake says how: `# tag: missing-skip | formula: F(Norm(x))`. The first diagnosis must carry that
tag and, where one is named, the formula. Rewrites are correct solutions written differently: full marks, always.
"""

from pathlib import Path

import pytest

from grader.authoring.proof import Fault
from grader.authoring.verify import judge_cases, known_files, prove, read_case
from grader.model.course import load_course

COURSE = load_course(Path(__file__).parents[1] / "solutions")
KNOWN = [(exercise.name, *known) for exercise in COURSE.exercises for known in known_files(exercise)]


def of(*kinds):
    """A test for each file of these kinds."""
    known = [
        pytest.param(known, id=f"{known[0]}/{'stub' if known[1] == 'stub' else known[2].stem}")
        for known in KNOWN
        if known[1] in kinds
    ]
    return pytest.mark.parametrize("known", known)


@pytest.fixture(scope="module")
def judged(request, launch):
    """All files that the selected tests need, judged at once; a file that cannot be judged is a fault."""
    here = [item.callspec.params for item in request.session.items if item.path == request.path]
    whole = [params["exercise"].name for params in here if "exercise" in params]
    single = [params["known"] for params in here if "known" in params]
    chosen = [known for known in KNOWN if known[0] in whole or known in single]
    read = {known: read_case(COURSE, COURSE.exercise(known[0]), *known[1:]) for known in chosen}
    cases = {known: case for known, case in read.items() if not isinstance(case, Fault)}
    return read | dict(zip(cases, judge_cases(list(cases.values()), COURSE, 1, launch), strict=True))


def faults(found):
    return [found] if isinstance(found, Fault) else list(found.faults)


@of("mistake")
def test_a_mistake_is_caught_and_named(judged, known):
    assert faults(judged[known]) == []


@of("rewrite")
def test_a_rewrite_earns_full_marks(judged, known):
    assert faults(judged[known]) == []


@of("solution", "stub")
def test_a_solution_earns_all_points_and_its_stub_none(judged, known):
    assert faults(judged[known]) == []


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda exercise: exercise.name)
def test_every_check_is_failed_by_some_mistake(judged, exercise):
    files = [found for known, found in judged.items() if known[0] == exercise.name]

    assert prove(exercise.name, files, ()).warnings == ()
