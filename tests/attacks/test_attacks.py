"""Hostile submissions, one file each in `files/`: none gets too many points, gets out, or disturbs the next one."""

import html.parser
import json
import platform
import re
from pathlib import Path

import pytest
from arena import LIMITS, SHORT, time_allowed
from attack import ATTACKS

from reports.html import student_page

NAMES = [
    pytest.param(name, marks=pytest.mark.skipif(attack.machine not in (None, platform.machine()), reason="its numbers"))
    for name, attack in ATTACKS.items()
]
LOADING = {"script", "iframe", "object", "embed", "base", "form", "img", "link", "video", "audio"}
LOADING |= {"foreignobject", "use", "image", "animate", "set", "math", "template"}  # what a drawing may not hold
DRAWINGS = {"flow", "chart"}
SAMPLE = Path(__file__).parents[1] / "samples" / "records" / "full_marks.json"
OWN_SCRIPT = re.search("<script>.*?</script>", student_page(json.loads(SAMPLE.read_text("utf-8"))), re.DOTALL)[0]
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
COMMAND = re.compile(r"^\s*(?:::|##\[|##vso|##teamcity|section_)", re.MULTILINE)


class Active(html.parser.HTMLParser):
    """What a browser would run, load or follow, but for our own script and drawings."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page.replace(OWN_SCRIPT, "", 1))

    def handle_starttag(self, tag, attrs):
        self.found += [tag] * (tag in LOADING or (tag == "svg" and dict(attrs).get("class") not in DRAWINGS))
        self.found += [name for name, _ in attrs if name.startswith("on") or name in ("src", "srcset", "action")]
        self.found += [value for name, value in attrs if name == "href" and not value.startswith("#")]


def with_its_layer(name, outcome):
    """The outcome, on a machine that has the layer which the attack needs to be stopped."""
    needs = ATTACKS[name].needs
    if needs and needs not in outcome.before["environment"]["confinement"]:
        pytest.skip(f"this machine has no {needs}")
    return outcome


@pytest.mark.parametrize("name", NAMES)
def test_attack_gets_the_points_that_it_deserves(name, outcome_of):
    record = with_its_layer(name, outcome_of(name)).graded

    deserved = {"full": record.points == record.max_points, "none": record.points == 0,
                "some": record.points < record.max_points, "any": True}  # fmt: skip
    assert deserved[ATTACKS[name].points], f"{record.points} of {record.max_points}"


@pytest.mark.parametrize("name", NAMES)
def test_first_lost_check_of_an_attack_ends_as_expected(name, outcome_of):
    checks = with_its_layer(name, outcome_of(name)).graded.exercises[0].checks

    first = next((check.verdict for check in checks if check.verdict != "passed"), "-")
    assert first in (ATTACKS[name].verdicts or {first})


@pytest.mark.parametrize("name", NAMES)
def test_attack_is_never_our_fault(name, outcome_of):
    record = outcome_of(name).graded

    ours = [check.name for check in record.exercises[0].checks if check.verdict == "grader_error"]
    assert ours == [], record.staff["notes"]


@pytest.mark.parametrize("name", NAMES)
def test_attack_does_not_get_through(name, outcome_of):
    outcome = with_its_layer(name, outcome_of(name))

    assert outcome.breaches == []


@pytest.mark.parametrize("name", NAMES)
def test_attack_ends_when_its_time_is_up(name, outcome_of):
    limits = SHORT if ATTACKS[name].hangs else LIMITS

    assert outcome_of(name).seconds <= time_allowed(limits)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_of_an_attack_is_only_text(name, outcome_of):
    _, page, terminal = outcome_of(name).shown

    assert Active(page).found == []
    assert UNSEEN.findall(page + terminal) == []
    assert COMMAND.findall(terminal) == []


@pytest.mark.parametrize("name", NAMES)
def test_honest_submission_after_an_attack_gets_the_same_record(name, outcome_of):
    outcome = outcome_of(name)

    assert outcome.before["points"] == outcome.before["max_points"]
    assert outcome.after == outcome.before
