"""A later statement replaces a right answer: the last state counts, and the page says what happened."""

import ast
import json

import pytest

from grader.checks.earlier import MOST_STATES, earlier_states
from grader.model.submission import Cell, SourceFile

IMPORTS = "import torch\nfrom torch import nn\n"


def notebook(*cells):
    return {
        "residual_add.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": f"{cell}\n"} for cell in cells]})
    }


def exercise(record):
    return record.exercises[0]


@pytest.fixture(scope="session")
def right_cell(right):
    return right.split("\n\n\n", 1)[1]


@pytest.fixture(scope="session")
def wrong_cell(wrong):
    return wrong.split("\n\n\n", 1)[1]


# What is said ---------------------------------------------------------------------------------------------------------


REPLACED = "The `ResidualAdd` of code cell 2 was right; code cell 4 replaced it."


def test_cell_that_defines_the_class_again_is_named(grade, right_cell, wrong_cell):
    record = grade(notebook(IMPORTS, right_cell, "x = 1", wrong_cell))
    assert exercise(record).remarks[0] == REPLACED


def test_it_is_the_next_step_of_the_first_diagnosis(grade, right_cell, wrong_cell):
    record = grade(notebook(IMPORTS, right_cell, "x = 1", wrong_cell))
    assert exercise(record).diagnosis.next_step == REPLACED


def test_last_state_is_the_one_that_counts(grade, right_cell, wrong_cell):
    alone, replaced = grade(notebook(IMPORTS, wrong_cell)), grade(notebook(IMPORTS, right_cell, "x = 1", wrong_cell))
    assert exercise(replaced).points == exercise(alone).points
    assert exercise(replaced).diagnosis.tag == "missing-skip"


def test_answer_that_was_mended_later_needs_no_word(grade, right_cell, wrong_cell):
    record = grade(notebook(IMPORTS, wrong_cell, "x = 1", right_cell))
    assert exercise(record).verdict == "passed"
    assert not any("replaced" in remark for remark in exercise(record).remarks)


@pytest.mark.parametrize(
    ("patch", "what"),
    [
        ("def bad(self, x, **kwargs):\n    return self.sublayer(x)\n\nResidualAdd.forward = bad", "its `forward`"),
        ("ResidualAdd = nn.Identity", "it"),
        ("nn.LayerNorm = nn.Identity", "`nn.LayerNorm`, which it uses"),
        ("from torch import nn as torch_nn\nimport math as nn", "`nn`, which it uses"),
    ],
)
def test_what_was_replaced_is_named(grade, right_cell, patch, what):
    record = grade(notebook(IMPORTS, right_cell, patch))
    assert exercise(record).remarks[0] == (f"The `ResidualAdd` of code cell 2 was right; code cell 3 replaced {what}.")


def test_statement_that_replaced_what_the_class_uses_is_the_line_of_the_mistake(grade, right_cell):
    where = exercise(grade(notebook(IMPORTS, right_cell, "x = 1\nnn.LayerNorm = nn.Identity"))).diagnosis.where
    assert (where.cell, where.line, where.code) == (3, 2, "nn.LayerNorm = nn.Identity")


def test_lines_of_a_file_are_named(grade, right, wrong_cell):
    record = grade(f"{right}\n\n{wrong_cell}")
    assert exercise(record).remarks[0] == "The `ResidualAdd` of line 5 was right; line 16 replaced it."


def test_lines_of_one_cell_are_named(grade, right_cell, wrong_cell):
    record = grade(notebook(IMPORTS, f"{right_cell}\n{wrong_cell}"))
    assert exercise(record).remarks[0] == (
        "The `ResidualAdd` of code cell 2, line 1, was right; code cell 2, line 11, replaced it."
    )


def test_stub_that_was_pasted_again_is_named(grade, right_cell):
    stub = "class ResidualAdd(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError"
    record = grade(notebook(IMPORTS, right_cell, "x = 1", stub))
    assert exercise(record).remarks[0] == REPLACED


def test_answer_that_was_better_but_not_right_is_called_so(grade, right_cell, wrong_cell):
    late = right_cell.replace("return x +", "torch.manual_seed(1)\n        return x +")
    record = grade(notebook(IMPORTS, late, "x = 1", wrong_cell))
    assert exercise(record).remarks[0] == REPLACED.replace("was right", "earned more points")


def test_answer_that_was_no_better_needs_no_word(grade, wrong_cell):
    record = grade(notebook(IMPORTS, wrong_cell, "x = 1", wrong_cell))
    assert not any("replaced" in remark for remark in exercise(record).remarks)


def test_right_answer_before_two_wrong_ones_is_found(grade, right_cell, wrong_cell):
    record = grade(notebook(IMPORTS, right_cell, "x = 1", wrong_cell, wrong_cell))
    assert exercise(record).remarks[0] == REPLACED


# What counts as a replacement -----------------------------------------------------------------------------------------


def states(*cells):
    file = SourceFile("a.ipynb", "ipynb", "", tuple(Cell(number, cell) for number, cell in enumerate(cells, 1)))
    modules = [ast.parse(cell) for cell in cells]
    for number, module in enumerate(modules, 1):
        for node in ast.walk(module):
            node.cell = number
    return earlier_states(modules, "Block", file)


CLASS = "class Block:\n    def forward(self, x):\n        return helper(x)\n"


@pytest.mark.parametrize(
    "cells",
    [
        (CLASS,),
        (CLASS, "helper = abs"),
        (CLASS, "other = 1", "other = 2"),
        ("helper = abs", "helper = max", CLASS),
        ("class Block:\n    pass", "def forward(self, x):\n    return x\n\nBlock.forward = forward"),
        (CLASS, "if __name__ == '__main__':\n    Block = None"),
        (CLASS, "Block.name = 'mine'"),
    ],
    ids=["once", "named later", "not used", "before the class", "put together", "main guard", "new attribute"],
)
def test_nothing_was_replaced(cells):
    assert states(*cells) == []


@pytest.mark.parametrize(
    "cell",
    [
        "try:\n    Block = None\nexcept ImportError:\n    pass",
        "if True:\n    class Block: pass",
        "from parts import Block",
        "setattr(Block, 'forward', None)",
        "Block, other = None, 1",
        "Block: type = object",
    ],
)
def test_ways_to_replace_a_class(cell):
    assert len(states(CLASS, cell)) == 1


def test_state_is_the_file_up_to_the_statement():
    (state,) = states("a = 1", CLASS, "b = 1\n\n@decorated\nclass Block: pass\nc = 1", "d = 1")
    assert [cell.source for cell in state.file.cells] == ["a = 1", CLASS, "b = 1\n\n"]


def test_state_ends_before_the_whole_block_around_the_statement():
    (state,) = states(CLASS, "b = 1\nif True:\n    c = 1\n    Block = None")
    assert [cell.source for cell in state.file.cells] == [CLASS, "b = 1\n"]


def test_last_and_first_replacement_are_tried_and_no_other():
    found = states(*[CLASS] * 40)
    assert [state.replaced[0] for state in found] == [40, 2]
    assert len(found) == MOST_STATES
