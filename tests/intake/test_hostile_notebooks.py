"""Notebooks that are made to hurt, or that hold anything but what a notebook holds."""

import copy
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

CLASS = "class ResidualAdd:\n    def forward(self, x):\n        return x\n"
ODD = [None, True, -1, 1.5, 10**30, "", "x", [], {}, [[]], [None], [1, "x"], {"cells": []}, "%%bash\nx"]


def notebook(*sources, **more):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def places(value, path=()):
    """The way to every value inside."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_value_of_another_type_anywhere_is_no_trouble(hand_in, odd):
    old = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": CLASS}]}]}
    files = {"residual_add.py": CLASS}
    for whole in (notebook(CLASS, [CLASS]), old):
        for path in places(whole):
            changed = copy.deepcopy(whole)
            holder = changed
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = odd
            files[f"{len(files)}.ipynb"] = json.dumps(changed)
    submission = hand_in(files)
    assert submission.works[0].file.path == "residual_add.py"
    assert len(submission.files) + len(submission.skipped) == len(files)


@pytest.mark.parametrize("source", [1, None, {"a": 1}, ["x = 1", 2], [["x"]]], ids=repr)
def test_a_cell_that_holds_no_text_is_noted(work_for, source):
    work = work_for({"residual_add.ipynb": json.dumps(notebook(CLASS, source))})
    assert work.file.notes == ("cell 2 was left out, because what it holds is no text",)


def test_of_a_key_that_is_there_twice_the_last_counts_as_in_jupyter(work_for):
    text = json.dumps(notebook(CLASS))
    work = work_for({"residual_add.ipynb": text[:-1] + ', "cells": []}'})
    assert work.problem.kind == "empty"


@pytest.mark.parametrize("metadata", [float("nan"), float("inf"), [[[]]] * 1000, {"\x1b]0;x\x07": "\u202e"}], ids=repr)
def test_odd_metadata_is_no_trouble(work_for, metadata):
    text = json.dumps(notebook(CLASS, metadata=metadata))
    assert work_for({"residual_add.ipynb": text}).problem is None


def test_metadata_that_nests_deeply_is_no_trouble(work_for):
    text = json.dumps(notebook(CLASS))[:-1] + ', "x": ' + "[" * 900 + "]" * 900 + "}"
    assert work_for({"residual_add.ipynb": text}).problem is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_another_encoding_is_a_problem(work_for, encoding):
    text = json.dumps(notebook(CLASS + "# ü"), ensure_ascii=False)
    assert work_for({"residual_add.ipynb": text.encode(encoding)}).problem.kind == "unreadable"


def test_half_a_character_in_an_output_is_no_trouble(work_for):
    text = json.dumps(notebook(CLASS)).replace('"outputs": []', '"outputs": ["\\ud800"]')
    assert work_for({"residual_add.ipynb": text}).problem is None


def test_outputs_attachments_and_other_cells_reach_nothing(hand_in):
    whole = notebook(CLASS)
    whole["cells"][0] |= {"outputs": [{"data": {"text/html": "<script>OUT</script>"}}], "attachments": {"OUT": "OUT"}}
    whole["cells"] += [{"cell_type": kind, "source": "OUT"} for kind in ("markdown", "raw", "heading", "Code", None)]
    whole["metadata"] = {"widgets": "OUT"}
    assert "OUT" not in repr(hand_in({"residual_add.ipynb": json.dumps(whole)}))


@pytest.mark.parametrize("version", [2, 3, 99, -1, "4", None, [4]], ids=repr)
def test_worksheets_of_an_old_format_are_read(work_for, version):
    old = {"nbformat": version, "worksheets": [{"cells": [{"cell_type": "code", "input": [CLASS]}]}, 1, {}]}
    work = work_for({"residual_add.ipynb": json.dumps(old)})
    assert (work.problem, work.file.cells[0].source) == (None, CLASS)


@pytest.mark.parametrize(
    "source",
    ["%%writefile torch.py\nHIDDEN", "%%javascript\nHIDDEN", "%%bash\nHIDDEN", "%%python2\nHIDDEN", "%%\nHIDDEN", "%%"],
)
def test_code_behind_a_cell_magic_is_left_out_and_noted(work_for, source):
    work = work_for({"residual_add.ipynb": json.dumps(notebook(CLASS, source))})
    assert "HIDDEN" not in repr(work.file.cells)
    assert work.file.notes[0].startswith("cell 2: `%%")


@pytest.mark.parametrize(
    ("cells", "says"),
    [('{"a": "bc"},' * 999_000 + "1", "more than 2,000 cells"), ("1," * 9_000_000 + "1", "more than 2,000 cells")],
    ids=["objects", "numbers"],
)
def test_millions_of_parts_take_no_time(work_for, cells, says):
    begun = time.monotonic()
    assert says in work_for({"residual_add.ipynb": f'{{"cells": [{cells}]}}'}).problem.happened
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "line",
    [
        "a" * 200_000,
        " " * 200_000,
        "(" * 200_000,
        "\"'" * 100_000,
        "'\\\"" * 60_000,
        "x = " + " " * 200_000,
        "?" * 200_000,
    ],
    ids=["letters", "spaces", "brackets", "quotes", "backslashes", "assignment", "questions"],
)
def test_a_cell_that_is_hard_to_search_for_magics_takes_no_time(work_for, line):
    begun = time.monotonic()
    work = work_for({"residual_add.ipynb": json.dumps(notebook(CLASS, f"!ls\n{line}"))})
    assert work.problem is None
    assert time.monotonic() - begun < 10


def test_one_notebook_beyond_measure_does_not_lose_the_others(hand_in):
    files = {"residual_add.ipynb": json.dumps(notebook(CLASS)), "x.ipynb": '{"cells": ' + "[" * 200_000}
    submission = hand_in(files)
    assert submission.works[0].problem is None
    assert [one.path for one in submission.skipped] == ["x.ipynb"]


def test_reading_a_notebook_loads_no_nbformat(tmp_path):
    """Its conversions take seconds and hundreds of MiB for a file that is made for it, and write to stderr."""
    (tmp_path / "residual_add.ipynb").write_text(json.dumps({"nbformat": 3, "worksheets": []}))
    code = (
        "import sys\nfrom grader.intake.parsing import Parser\nfrom grader.intake.source import read_source\n"
        "read_source('a.ipynb', open(sys.argv[1], 'rb').read(), Parser([]))\nprint('nbformat' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "residual_add.ipynb")]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=True)
    assert (done.stdout.strip(), done.stderr) == (b"False", b"")
