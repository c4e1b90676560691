"""Every ink can be read on every ground, in both themes (WCAG 2.2, 1.4.3 and 1.4.11)."""

import re
from itertools import product
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "reports" / "assets"
SHEETS = {path.name: path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css"))}


def themes(style: str) -> dict[str, dict[str, str]]:
    return {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body))
        for name, body in zip(("light", "dark"), re.findall(r":root \{(.*?)\}", style, re.DOTALL), strict=True)
    }


THEMES = themes(SHEETS["base.css"])
LIGHT = THEMES["light"]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


INKS = [name for name in LIGHT if name.startswith("ink-")]
GROUNDS = [name for name in LIGHT if name.startswith("ground-")]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), list(product(INKS, GROUNDS)))
def test_text_can_be_read(theme, ink, ground):
    assert contrast(THEMES[theme][ink], THEMES[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_edges_can_be_seen(theme, ground):
    assert contrast(THEMES[theme]["edge"], THEMES[theme][ground]) >= 3


def test_themes_name_the_same_colours():
    assert LIGHT.keys() == THEMES["dark"].keys()


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_colour_stands_outside_the_themes(sheet):
    themed = r":root \{.*?\}" if sheet == "base.css" else r"\Z"
    rest = re.sub(themed, "", SHEETS[sheet], flags=re.DOTALL)
    assert not re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", rest)


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_colour_that_is_used_is_one_of_the_themes(sheet):
    used = set(re.findall(r"var\(--((?:ink|ground|edge|rule)[\w-]*)", SHEETS[sheet]))
    assert used <= LIGHT.keys()
