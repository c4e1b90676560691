"""The format of attack files is kept, and what is not in it is refused."""

import pytest
from attack import ATTACKS, HONEST, read

from grader.model.confinement import layers

TITLE = '"""Tries something; right outcome: nothing."""\n'


@pytest.fixture
def written(tmp_path):
    """Writes an attack file with the given first lines."""

    def made(text):
        path = tmp_path / "001_x.py"
        path.write_text(text)
        return path

    return made


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 95


def test_layers_that_attacks_need_exist():
    assert {attack.needs for attack in ATTACKS.values()} - {None} <= layers().keys()


def test_header_is_read(written):
    attack = read(written(TITLE + "# points: none | verdict: crashed/timed_out | needs: seccomp | runs: 2\n"))

    assert (attack.points, attack.verdicts) == ("none", ("crashed", "timed_out"))
    assert (attack.needs, attack.runs) == ("seccomp", 2)


def test_names_and_the_honest_solution_are_put_in(written):
    source = read(written(TITLE + "# points: full | verdict: -\n# honest solution\n")).source({"CANARY": "/x"})

    assert source.startswith("CANARY = '/x'\n")
    assert HONEST in source
    compile(source, "x", "exec")


@pytest.mark.parametrize(
    "header",
    ["", "points: full", "# points: full | verdict: - | color: red", "# points: all | verdict: -",
     "# points: full | verdict: failed", "# points: none | verdict: odd", "# points: some | verdict: -"],
)  # fmt: skip
def test_other_headers_are_errors(header, written):
    with pytest.raises(ValueError, match=r"001_x\.py"):
        read(written(TITLE + header + "\nx = 1\n"))


def test_title_without_the_right_outcome_is_an_error(written):
    with pytest.raises(ValueError, match="right outcome"):
        read(written('"""Tries something."""\n# points: full | verdict: -\n'))
