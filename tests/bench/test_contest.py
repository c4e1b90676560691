"""The arithmetic of speed, on made-up times; nothing is measured here."""

import pytest

from bench import contest, endless, measure
from bench.measure import Cost
from bench.submissions import DIFFERENT, EXERCISES, known, of_one_exercise, submissions


def seconds(wall: float) -> Cost:
    return Cost(wall, 2 * wall, 0.0, 0, 30.0)


def test_what_a_submission_adds_is_free_of_the_start():
    batch = {30: seconds(5 + 30 * 0.2), 120: seconds(5 + 120 * 0.2)}

    one = contest.added(batch, 30, 120)

    assert one.wall == pytest.approx(0.2)
    assert one.cpu == pytest.approx(0.4)


def test_a_ratio_is_made_within_a_round():
    assert contest.ratio([1.0, 20.0, 3.0], [1.0, 10.0, 1.5]) == 2.0


def test_growth_compares_the_last_step_with_the_first():
    straight = {size: seconds(4 + 0.1 * size) for size in (30, 120, 480)}
    curved = {**straight, 480: seconds(4 + 12 + 360 * 0.3)}

    assert contest.growth([straight]) == pytest.approx(1.0)
    assert contest.growth([curved]) == pytest.approx(3.0)


def test_growth_of_two_sizes_is_that_of_the_share_of_each():
    assert contest.growth([{30: seconds(30), 120: seconds(240)}]) == pytest.approx(2.0)


def test_the_largest_class_may_be_measured_in_the_first_round_only():
    rounds = [{30: seconds(6), 120: seconds(24), 480: seconds(96)}, {30: seconds(6), 120: seconds(42)}]

    steps = contest.steps(rounds)

    assert steps[30, 120].wall == pytest.approx((0.2 + 0.4) / 2)
    assert steps[120, 480].wall == pytest.approx(0.2)


def times(batch: float, floor: float, single: float, *, same_points: bool = True) -> contest.Times:
    each = {name: seconds(floor) for name in ("F1", "F2", "F3")}
    each |= {name: seconds(single) for name in ("pytest", "xdist", "small pytest")} | {"small": seconds(batch)}
    return contest.Times([{30: seconds(30 * batch), 120: seconds(120 * batch)}], [each], same_points)


@pytest.mark.parametrize(("batch", "b", "c"), [(0.14, True, True), (0.16, False, False)])
def test_goals_are_met_or_not(batch, b, c):
    found = times(batch, 0.1, 3.0)

    reached = {one.key: one.reached for one in contest.sections(found, {"b", "c", "d"})}

    assert reached == {"b": b, "c": c, "d": True}


def test_a_floor_that_gives_other_points_reaches_nothing():
    (section,) = contest.sections(times(0.1, 0.1, 3.0, same_points=False), {"b"})

    assert not section.reached
    assert "NOT met" in measure.table(section.rows)


def test_the_ideal_schedule_shares_what_is_endless_among_the_cores():
    assert endless.ideal(20.0, [10.0, 30.0], 2) == 40.0


def test_no_schedule_is_shorter_than_its_longest_submission():
    assert endless.ideal(1.0, [30.0], 2) == 30.0


def test_one_submission_of_twenty_becomes_endless():
    handed_in = submissions(60)

    changed, places = endless.with_endless(handed_in)

    assert len(places) == 3
    assert [place for place in range(60) if changed[place] != handed_in[place]] == places
    assert all("while True" in changed[place]["residual_add.py"] for place in places)


def test_a_class_is_the_same_work_again_and_again_in_other_files():
    handed_in = submissions(2 * DIFFERENT)

    first, again = handed_in[:DIFFERENT], handed_in[DIFFERENT:]

    assert len({files["residual_add.py"] for files in handed_in}) == 2 * DIFFERENT
    assert [without_mark(files) for files in first] == [without_mark(files) for files in again]
    assert submissions(1, DIFFERENT) == [again[0]]


def test_submissions_of_one_exercise_take_turns():
    whole = submissions(6)

    apart = of_one_exercise(whole)

    assert [list(files) for files in apart] == [[f"{name}.py"] for name in (*EXERCISES, *EXERCISES)]
    assert all(one.items() <= files.items() for one, files in zip(apart, whole, strict=True))


def without_mark(files):
    return {name: source.rpartition("\n# ")[0] for name, source in files.items()}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_class_is_drawn_from_right_and_wrong_files(exercise):
    right, wrong = known(exercise, are_right=True), known(exercise, are_right=False)

    assert len(right) > 10
    assert len(wrong) > 10
    assert not {*right} & {*wrong}
