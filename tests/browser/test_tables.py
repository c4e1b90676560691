"""Tables sort by each of their headings, with the mouse and with the keyboard; the students of a class are filtered."""

import re

import pytest

SORTABLE = ["missing_skip", "deep_network", "hostile", "class"]
# What stands in the column of a heading from the top down, as the words that are compared; rows below a row go with it.
COLUMN = """
head => {
    const table = head.closest("table"), bodies = [...table.tBodies]
    const rows = bodies.length > 1 ? bodies.map(body => body.rows[0]) : [...bodies[0].rows]
    const cells = rows.map(row => row.cells[head.cellIndex])
    return cells.map(cell => cell.dataset.order ?? cell.textContent.trim())
}
"""
IN_ORDER = """
values => {
    const compare = new Intl.Collator(document.documentElement.lang, {numeric: true}).compare
    const numbers = values.map(parseFloat).filter(one => !isNaN(one))
    const words = values.filter(one => isNaN(parseFloat(one)))
    const rises = (list, by) => list.every((one, at) => at === 0 || by(list[at - 1], one) <= 0)
    return rises(numbers, (one, other) => one - other) && rises(words, compare)
}
"""
DIRECTIONS = """
head => [...head.parentElement.cells].map(one => one.getAttribute("aria-sort")).filter(Boolean)
"""


@pytest.fixture(scope="module")
def sorted_columns(visit, name):
    """For each heading that sorts: what stood below it before and after one and two presses, and what was announced."""
    with visit(name) as page:
        columns = []
        for button in page.locator("th button").all():
            head = button.locator("xpath=..")
            seen = [(head.evaluate(COLUMN), None)]
            for key in ("Enter", "Space"):
                button.press(key)
                seen.append((head.evaluate(COLUMN), head.evaluate(DIRECTIONS)))
            orders = [page.evaluate(IN_ORDER, values) for values in (seen[1][0], seen[2][0][::-1])]
            columns.append((button.inner_text(), seen, orders))
        return columns


sortable = pytest.mark.parametrize("name", SORTABLE, indirect=True, scope="module")


@sortable
def test_there_are_headings_to_press(sorted_columns):
    assert len(sorted_columns) >= 3


@sortable
def test_rows_rise_and_then_fall(sorted_columns):
    assert [heading for heading, _, orders in sorted_columns if orders != [True, True]] == []


@sortable
def test_no_row_is_lost(sorted_columns):
    assert [
        heading for heading, seen, _ in sorted_columns if len({tuple(sorted(values)) for values, _ in seen}) > 1
    ] == []


@sortable
def test_the_direction_is_announced_at_one_heading(sorted_columns):
    assert {(*up, *down) for _, (_, (_, up), (_, down)), _ in sorted_columns} == {("ascending", "descending")}


@pytest.mark.parametrize("name", ["missing_skip", "class"], indirect=True)
def test_a_third_press_brings_the_order_of_the_page_back(visit, name):
    with visit(name) as page:
        for button in page.locator("th button").all():
            head = button.locator("xpath=..")
            before = head.evaluate(COLUMN)

            for _ in range(3):
                button.press("Enter")

            assert (head.evaluate(COLUMN), head.evaluate(DIRECTIONS)) == (before, [])


def test_the_rows_of_a_check_stay_together_also_when_it_is_the_only_one(visit, files, tmp_path):
    page = files["missing_skip"].read_text(encoding="utf-8")
    checks = re.search("<table.*?</table>", page, re.DOTALL)[0]
    for other in re.findall("<tbody>.*?</tbody>", checks, re.DOTALL)[:-1]:
        page = page.replace(other, "")
    only = tmp_path / "only.html"
    only.write_text(page, encoding="utf-8")
    with visit("missing_skip") as page:
        page.goto(only.as_uri())
        rows = page.locator("table.checks tbody tr")
        before = rows.all_inner_texts()

        for _ in range(2):
            page.locator("table.checks th button").first.press("Enter")

        assert len(before) == 2
        assert rows.all_inner_texts() == before


@pytest.mark.parametrize("name", ["deep_network", "class"], indirect=True)
def test_the_mouse_sorts_as_well(visit, name):
    with visit(name) as page:
        button = page.locator("th button").first

        button.click()

        assert button.locator("xpath=..").get_attribute("aria-sort") == "ascending"


def test_the_filter_shows_rows_with_these_words_only(visit):
    with visit("class") as page:
        page.get_by_role("searchbox").fill("student 07")

        assert page.locator("#students tbody tr:visible th").all_inner_texts() == ["Student 07"]


def test_the_filter_says_how_many_are_shown(visit):
    with visit("class") as page:
        page.get_by_role("searchbox").fill("student 1")

        assert page.get_by_role("status").inner_text() == "2 of 12 shown"


def test_an_empty_filter_shows_everybody_again(visit):
    with visit("class") as page:
        box = page.get_by_role("searchbox")
        box.fill("nobody")
        none = page.locator("#students tbody tr:visible").count()

        box.press("Control+a")
        box.press("Delete")

        assert (none, page.locator("#students tbody tr:visible").count()) == (0, 12)


def test_what_is_filtered_can_be_sorted(visit):
    with visit("class") as page:
        page.get_by_role("searchbox").fill("student 0")

        for _ in range(2):
            page.locator("#students th button").first.press("Enter")

        shown = page.locator("#students tbody tr:visible th").all_inner_texts()
        assert shown == [f"Student {number:02}" for number in range(9, -1, -1)]


def test_a_student_of_the_class_leads_to_their_page(visit):
    with visit("class") as page:
        page.locator("#students tbody th a").first.press("Enter")
        page.wait_for_url("**/students/*.html")

        assert page.get_by_role("heading", level=1).count() == 1
