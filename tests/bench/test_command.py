"""`python -m bench`: what is asked for, and how it is put on paper."""

import argparse
import json
import subprocess
import sys

import pytest

from bench import __main__ as command
from bench.measure import ROOT, Section
from bench.stability import State, growth

MET = Section("a", "A cold start", [("import", "1.0", "1.0", "", "≤ 2: met")], reached=True, figures={"a": 1.0})
MISSED = Section(
    "f", "Help", [("help", "1.0", "1.0", "", "≤ 0.1: NOT met")], reached=False, figures={}, note="So it is."
)


@pytest.fixture
def measured(monkeypatch):
    """Puts sections in the place of measuring."""
    return lambda *sections: monkeypatch.setattr(command, "measured", lambda *_, **__: iter(sections))


def called(*words):
    return command.main(command.parser().parse_args(words))


def test_parts_are_named_with_commas():
    asked = command.parser().parse_args(["--quick", "--only", "a, endless"])

    assert asked.only == {"a", "endless"}
    assert asked.quick


def test_without_only_everything_is_measured():
    assert command.parser().parse_args([]).only == set(command.PARTS)


def test_an_unknown_part_is_named_with_those_there_are():
    with pytest.raises(argparse.ArgumentTypeError, match="no part 'z'; parts are a, b, c"):
        command.parts("a,z")


@pytest.mark.parametrize(("sections", "code"), [((MET,), 0), ((MET, MISSED), 1)])
def test_a_missed_goal_is_told_by_the_exit_code(sections, code, measured, capsys):
    measured(*sections)

    assert called() == code
    assert "### A cold start" in capsys.readouterr().out


def test_json_is_all_that_is_printed(measured, capsys):
    measured(MET, MISSED)

    called("--json")

    told = json.loads(capsys.readouterr().out)
    assert [one["key"] for one in told["parts"]] == ["a", "f"]
    assert told["parts"][0]["figures"] == {"a": 1.0}


def test_tables_take_the_place_of_those_before(measured, tmp_path):
    measured(MISSED)
    page = tmp_path / "performance.md"
    page.write_text(f"# Speed\n\n{command.FIRST}\nold\n{command.LAST}\n\nWhat stands in the way.\n")

    called("--markdown", str(page))

    text = page.read_text()
    assert text.startswith("# Speed\n\n<!--")
    assert "| help | 1.0 | 1.0 |  | ≤ 0.1: NOT met |\n\nSo it is." in text
    assert "old" not in text
    assert text.endswith("What stands in the way.\n")


def test_a_run_of_some_parts_says_so(measured, capsys):
    measured(MET, MISSED)

    called("--only", "a,f")

    assert "Only these parts were measured: a, f." in capsys.readouterr().out


def test_a_file_without_marks_is_told_before_anything_is_measured(tmp_path, monkeypatch):
    page = tmp_path / "performance.md"
    page.write_text("# Speed\n")
    monkeypatch.setattr(command, "measured", lambda *_, **__: pytest.fail("it was measured"))

    with pytest.raises(ValueError, match="no lines <!-- made by"):
        called("--markdown", str(page))


def test_the_machine_is_named_by_its_kind():
    assert "cores of" in command.machine()
    assert "torch 2" in command.machine()


def test_help_names_every_part():
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert all(f"{key}: " in " ".join(done.stdout.split()) for key in command.PARTS)


def test_docs_have_the_place_for_the_tables():
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")

    assert command.put_into(text, "new") != text


def test_memory_that_settles_does_not_count_as_growth():
    def at(done: int, own: float) -> State:
        return State(done, own, 10.0, 1, 1, 1, 0, 0)

    own, servers = growth([at(0, 30.0), at(500, 40.0), at(1000, 41.0), at(1500, 41.5), at(2000, 42.0)])

    assert own == pytest.approx(1.0)
    assert servers == 0.0
