"""A replayed forward is walked through step by step, with the keyboard."""

import re

import pytest

from reports.words import words

FORWARD, BACK, JUMP = (words()["replay"][name] for name in ("forward", "back", "jump"))


@pytest.fixture
def block(visit):
    """The part of a page in which a transformer block is replayed."""
    with visit("second_attempt") as page:
        yield page.locator("section", has=page.get_by_role("heading", level=2, name="transformer block"))


def press(block, *names):
    for name in names:
        block.get_by_role("button", name=name).press("Enter")


def row_of(block):
    return block.locator("tr[aria-current=step]")


def current(block):
    """The headings of the rows that are marked as the present step."""
    return row_of(block).locator("th").all_inner_texts()


def letters(text):
    """The text without what only sets its parts apart."""
    return re.sub(r"[\s·]", "", text)


def test_it_begins_before_the_first_step(block):
    assert current(block) == []


def test_forward_goes_from_step_to_step(block):
    press(block, FORWARD)
    first = current(block)
    press(block, FORWARD)

    assert (first, current(block)) == (["1"], ["2"])


def test_back_goes_back(block):
    press(block, FORWARD, FORWARD, FORWARD, BACK)

    assert current(block) == ["2"]


def test_it_stops_at_the_first_step(block):
    press(block, FORWARD, BACK, BACK)

    assert current(block) == ["1"]


def test_it_stops_at_the_last_step(block):
    steps = block.locator("table.replay tbody tr").count()

    press(block, *[FORWARD] * (steps + 2))

    assert current(block) == [str(steps)]


def test_it_jumps_to_the_first_difference(block):
    press(block, JUMP)

    assert row_of(block).inner_text() == block.locator("tr.differs").first.inner_text()


def test_the_step_is_read_out(block):
    press(block, FORWARD, FORWARD)

    told = letters(block.get_by_role("status").text_content())
    assert [cell for cell in row_of(block).locator("td").all_text_contents() if letters(cell) not in told] == []


def test_the_box_of_the_drawing_is_marked_with_its_step(block):
    press(block, FORWARD, FORWARD)

    marked = {box.get_attribute("data-step") for box in block.locator("svg .now").all()}
    assert marked == {"Norm1(x)"}
    assert marked.pop() in row_of(block).text_content()


def test_the_focus_stays_on_the_button(block):
    press(block, FORWARD)

    assert block.evaluate("document.activeElement.textContent") == FORWARD
