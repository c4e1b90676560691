"""Everything can be reached and seen with the keyboard alone."""

import pytest

CONTROLS = """
() => {
    window.controls = [...document.querySelectorAll("a[href], button, summary, input, select, textarea, [tabindex]")]
        .filter(one => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
        .filter(one => one.type !== "radio" || one === document.activeElement || (
            one.checked || ![...document.getElementsByName(one.name)].some(other => other.checked)
        ))
    return window.controls.map(one => `${one.tagName} ${one.textContent.trim().slice(0, 60)}`)
}
"""
STOP = """
() => {
    const one = document.activeElement
    if (one === document.body) return null
    const {outlineStyle, outlineWidth} = getComputedStyle(one), box = one.getBoundingClientRect()
    return {
        control: window.controls.indexOf(one),
        what: `${one.tagName} ${one.textContent.trim().slice(0, 60)}`,
        outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
        on_screen: box.width > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight,
    }
}
"""
NEXT = """
id => {
    const target = document.getElementById(id)
    const below = one => target.contains(one) || target.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING
    return window.controls.findIndex(below)
}
"""


@pytest.fixture(scope="module")
def walk(visit, name):
    """All controls of a page, and the stops that Tab makes from its top until it leaves it."""
    stops = []
    with visit(name) as page:
        controls = page.evaluate(CONTROLS)
        for _ in range(2 * len(controls) + 20):  # regions that scroll are stops, too
            page.keyboard.press("Tab")
            stop = page.evaluate(STOP)
            if stop is None:
                return controls, stops
            stops.append(stop)
    pytest.fail(f"Tab never left the page: {stops[-5:]}")


def test_tab_reaches_every_control_in_their_order(walk):
    controls, stops = walk
    reached = [controls[stop["control"]] for stop in stops if stop["control"] >= 0]

    assert reached == controls


def test_the_focus_is_visible(walk):
    assert [stop["what"] for stop in walk[1] if not stop["outlined"]] == []


def test_the_focus_is_on_the_screen(walk):
    assert [stop["what"] for stop in walk[1] if not stop["on_screen"]] == []


def test_the_first_stop_skips_what_stands_above(visit, name):
    with visit(name) as page:
        page.evaluate(CONTROLS)
        page.keyboard.press("Tab")
        target = page.evaluate("document.activeElement.hash").removeprefix("#")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")

        below = page.evaluate(NEXT, target)
        assert page.evaluate(STOP)["control"] == max(below, 0)  # with nothing below, Tab starts again at the top


def test_a_fold_opens_with_the_keyboard(visit):
    with visit("missing_skip", unfolded=False) as page:
        fold = page.locator("details").first

        fold.locator("summary").press("Enter")

        assert fold.locator(":scope > :not(summary)").first.is_visible()
