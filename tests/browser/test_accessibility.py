"""axe-core finds nothing to complain of, on any page."""

from importlib import resources

import pytest

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = {
    "wide and light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 800}},
    "phone and dark": {"color_scheme": "dark", "viewport": {"width": 320, "height": 640}},
}


def examine(page):
    page.evaluate(AXE)  # not a script of the page: its policy does not see it
    return page.evaluate("rules => axe.run({runOnly: rules})", RULES)


@pytest.fixture
def findings(visit):
    """What axe-core says to a page, as one line for each element."""

    def findings(name, **look):
        with visit(name, **look) as page:
            found = examine(page)
        # Of single signs axe-core cannot tell the contrast; tests/reports/test_colours.py computes it for all colours.
        open_questions = [rule for rule in found["incomplete"] if rule["id"] != "color-contrast"]
        return [
            f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
            for rule in found["violations"] + open_questions
            for node in rule["nodes"]
        ]

    return findings


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(findings, name, look):
    assert findings(name, **LOOKS[look]) == []


def test_axe_would_find_something(blank):
    with blank() as page:
        page.set_content('<p>no language, no heading, <img src="x"></p><button></button><button></button>')
        found = examine(page)

    rules = {rule["id"] for rule in found["violations"]}
    assert {"html-has-lang", "image-alt", "button-name", "page-has-heading-one", "target-size"} <= rules
