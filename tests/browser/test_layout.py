"""Pages fit a phone and a sheet of paper, and follow the theme of the reader."""

import re

import pytest

PHONE = {"width": 320, "height": 640}
PAPER = {"width": 718, "height": 1047}  # A4 less margins of one centimetre, in CSS pixels
BEYOND = """
() => {
    const beyond = one => one.getBoundingClientRect().right > innerWidth + 1
    const scrolls = one => one && (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement))
    return document.scrollingElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll("*")]
        .filter(one => beyond(one) && !scrolls(one.parentElement) && ![...one.children].some(beyond))
        .map(one => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 60)}`)
}
"""
SMALL = """
() => [...document.querySelectorAll("a[href], button, summary, input, select, textarea")]
    .filter(one => one.checkVisibility())
    .filter(one => {
        const inline = getComputedStyle(one).display === "inline"
        return !(inline && one.parentElement.textContent.trim() !== one.textContent.trim())
    })
    .map(one => [one, (one.labels?.[0] ?? one).getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 24)
    .map(([one, box]) => `${one.tagName} ${one.textContent.trim().slice(0, 60)}: ${box.width} x ${box.height}`)
"""
FOLDED = """
() => [...document.querySelectorAll("details > :not(summary)")]
    .filter(one => one.textContent.trim() && (!one.checkVisibility() || one.getBoundingClientRect().height === 0))
    .map(one => one.textContent.trim().slice(0, 60))
"""
CUT = """
() => [...document.body.querySelectorAll("*")]
    .filter(one => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1)
    .map(one => `${one.tagName} ${one.className}: ${one.scrollWidth} > ${one.clientWidth}`)
"""
DARK_ON_LIGHT, LIGHT_ON_DARK = [0, 3], [3, 0]
COLOURS = "() => { const {color, backgroundColor} = getComputedStyle(document.body); return [color, backgroundColor] }"


def brightness(page):
    """Of the text and of its ground: 0 for nearly black, 3 for nearly white."""
    return [max(map(int, re.findall(r"\d+", colour)[:3])) // 64 for colour in page.evaluate(COLOURS)]


def test_nothing_is_wider_than_a_phone(visit, name):
    with visit(name, viewport=PHONE) as page:
        assert page.evaluate(BEYOND) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_targets_can_be_hit(visit, name, width):
    """24 px each way; a link inside a sentence is as high as its line."""
    with visit(name, viewport={"width": width, "height": 800}) as page:
        assert page.evaluate(SMALL) == []


def test_light_is_light_and_dark_is_dark(visit):
    with visit("missing_skip", color_scheme="light") as page:
        assert brightness(page) == DARK_ON_LIGHT
    with visit("missing_skip", color_scheme="dark") as page:
        assert brightness(page) == LIGHT_ON_DARK


@pytest.fixture
def printed(visit, name):
    with visit(name, unfolded=False, viewport=PAPER, color_scheme="dark") as page:
        page.emulate_media(media="print")
        yield page


def test_paper_shows_what_is_folded(printed):
    assert printed.evaluate(FOLDED) == []


def test_paper_is_light_also_in_the_dark(printed):
    assert brightness(printed) == DARK_ON_LIGHT


def test_paper_cuts_nothing_off(printed):
    assert printed.evaluate(CUT) == []
    assert printed.evaluate(BEYOND) == []
