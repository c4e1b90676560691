"""From source to names, in this process: what runs, what is left out, and what is said about it."""

import sys
import textwrap
from types import SimpleNamespace

import pytest
import torch

from grader.sandbox.worker import messages as m
from grader.sandbox.worker.loading import Loader


@pytest.fixture(autouse=True)
def same_modules_afterwards(monkeypatch):
    before = dict(sys.modules)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


def unit(module, *cells, notebook=False):
    texts = [textwrap.dedent(cell).strip("\n") for cell in cells]
    numbered = [(number if notebook else None, text) for number, text in enumerate(texts, 1)]
    return m.Unit(module, f"{module}.ipynb" if notebook else f"{module}.py", notebook, numbered)


def load(*units, wanted=()):
    loader = Loader(units)
    sys.meta_path.append(loader)
    loaded = loader.load(units[-1], wanted)
    notes = [(note.kind, note.cell, note.line, note.text) for note in loaded.notes]
    return SimpleNamespace(loader=loader, notes=notes, **{"names": vars(loaded.module)})


def notebook(*cells, wanted=()):
    return load(unit("student", *cells, notebook=True), wanted=wanted)


def script(*lines, wanted=()):
    return load(unit("student", *lines), wanted=wanted)


# Notebooks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "definition",
    [
        "import math as found",
        "from math import pi as found",
        "def found(): pass",
        "async def found(): pass",
        "class found: pass",
        "found = 1",
        "found: int = 1",
        "found = 1\nfound += 1",
        "if True:\n    found = 1",
        "try:\n    found = 1\nexcept Exception:\n    pass",
    ],
)
def test_definition_in_a_notebook_runs(definition):
    assert "found" in notebook(definition).names


@pytest.mark.parametrize(
    "statement",
    ["print(seen.append(1))", "for i in range(3):\n    seen.append(i)", "while not seen:\n    seen.append(1)",
     "with open('/dev/null'):\n    seen.append(1)", "del seen", "assert seen", "raise ValueError"],
)  # fmt: skip
def test_other_statement_in_a_notebook_is_left_out_and_listed(statement):
    found = notebook("seen = []", statement)

    assert found.names["seen"] == []
    assert found.notes == [("skipped", 2, 1, statement.splitlines()[0])]


def test_text_and_docstrings_are_left_out_without_a_word():
    assert notebook('"""A title."""\n"more"\nx = 1').notes == []


def test_raising_cell_is_noted_and_the_rest_goes_on():
    found = notebook("x = 1 / 0\ny = 1", "z = 2")

    assert (found.names["y"], found.names["z"]) == (1, 2)
    assert found.notes == [("raised", 1, 1, "ZeroDivisionError: division by zero")]


def test_unparsable_cell_is_noted_and_the_rest_goes_on():
    found = notebook("x = 1", "def broken(:\n    pass", "z = 2")

    assert (found.names["x"], found.names["z"]) == (1, 2)
    assert found.notes == [("syntax", 2, 1, "SyntaxError: invalid syntax")]


def test_everything_runs_once_when_a_wanted_name_is_made_by_left_out_code():
    loop = "for name in ['Block']:\n    made[name] = type(name, (), {})"
    found = notebook("made = {}", loop, "globals().update(made)",
                     wanted=["Block"])  # fmt: skip

    assert "Block" in found.names


def test_everything_runs_once_when_a_wanted_class_uses_a_name_of_left_out_code():
    found = notebook(
        "class Block:\n    def forward(self):\n        return SCALE",
        "for value in [3]:\n    SCALE = value",
        wanted=["Block"],
    )

    assert found.names["Block"]().forward() == 3


def test_left_out_code_stays_out_when_nothing_is_missing():
    found = notebook(
        "class Block:\n    def forward(self):\n        return len(str(self))", "raise SystemExit", wanted=["Block"]
    )

    assert [note[0] for note in found.notes] == ["skipped"]


def test_traceback_names_the_cell_and_its_line():
    found = notebook("x = 1", "def forward():\n    y = 2\n    return missing")

    with pytest.raises(NameError) as caught:
        found.names["forward"]()

    assert found.loader.places(caught.value) == [m.Place("student.ipynb", 2, 3, "forward")]


def test_place_of_a_decorated_function_is_that_of_its_first_decorator():
    found = notebook("import torch", "x = 1\n\n@torch.no_grad()\ndef forward():\n    pass")

    assert found.loader.place_of(found.names["forward"]) == ("student.ipynb", 2, 3)


def test_future_annotations_of_an_early_cell_hold_in_later_ones():
    found = notebook("from __future__ import annotations", "def f(x: Undefined) -> Undefined: ...")

    assert found.notes == []
    assert found.names["f"].__annotations__ == {"x": "Undefined", "return": "Undefined"}


# Files ----------------------------------------------------------------------------------------------------------------


def test_file_runs_from_top_to_bottom():
    assert script("seen = []\nfor i in range(3):\n    seen.append(i)").names["seen"] == [0, 1, 2]


def test_file_goes_on_after_a_line_that_raises():
    found = script("x = missing\ny = 2")

    assert found.names["y"] == 2
    assert found.notes == [("raised", None, 1, "NameError: name 'missing' is not defined")]


@pytest.mark.parametrize("error", ["SystemExit(3)", "KeyboardInterrupt", "GeneratorExit", "BaseException('x')"])
def test_exception_of_any_kind_is_noted(error):
    found = script(f"raise {error}\ny = 2")

    assert found.names["y"] == 2
    assert [note[0] for note in found.notes] == ["raised"]


def test_line_that_raises_deep_inside_is_the_students_innermost():
    found = script("def inner():\n    return 1 / 0\n\n\nx = inner()")

    assert found.notes == [("raised", None, 2, "ZeroDivisionError: division by zero")]


def test_line_of_a_library_that_raises_is_not_the_students():
    found = script("import json\nx = json.loads('{')")

    assert found.notes[0][2] == 2


@pytest.mark.parametrize(("source", "line"), [("x = 1\ny = (", 2), ("x = 1\n  y = 2", 2), ("x = 1\nif x:\ny = 2", 3)])
def test_syntax_error_names_its_line(source, line):
    assert [(note[0], note[2]) for note in script(source).notes] == [("syntax", line)]


@pytest.mark.parametrize(
    "source", ["x = 1\0", "(" * 5000 + ")" * 5000, "-" * 200_000 + "1"], ids=["nul", "nested", "minus"]
)
def test_source_that_cannot_be_parsed_is_noted(source):
    assert [note[0] for note in script(source).notes] == ["syntax"]


def test_dataclasses_are_built():
    imports = "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n"

    assert script(imports + "@dataclass\nclass Config:\n    dim: int = 8").names["Config"](4).dim == 4


def test_super_without_arguments_finds_its_class():
    found = script(
        "class A:\n    def f(self):\n        return 1\n\n\nclass B(A):\n    def f(self):\n        return super().f()"
    )

    assert found.names["B"]().f() == 1


def test_name_is_not_main():
    assert script("found = __name__ == '__main__'").names["found"] is False


# Imports --------------------------------------------------------------------------------------------------------------


def test_missing_package_is_stood_in_for():
    found = script("import not_here\nimport not_here.part as part\nfrom not_here.other import thing\nx = 1")

    assert found.names["x"] == 1
    assert {note[0] for note in found.notes} == {"absent"}


def test_calling_a_missing_package_names_it():
    assert script("import not_here\nx = not_here.make()").notes[-1] == (
        "raised", None, 2, "ModuleNotFoundError: No module named 'not_here'")  # fmt: skip


@pytest.mark.parametrize("base", ["not_here.Base", "not_here.part.Base"])
def test_inheriting_from_a_missing_package_names_it(base):
    found = script(f"import not_here\n\n\nclass Block({base}):\n    pass")

    assert "ModuleNotFoundError: No module named 'not_here'" in found.notes[-1][3]


def test_package_that_is_used_only_in_a_fallback_is_found_missing():
    found = script("try:\n    import not_here\nexcept ImportError:\n    not_here = None")

    assert found.names["not_here"] is None
    assert found.notes == []


def test_sibling_module_is_imported():
    found = load(unit("layers", "class Norm: pass"), unit("student", "from layers import Norm"))

    assert found.names["Norm"].__module__ == "layers"


def test_sibling_notebook_is_imported_without_what_it_would_print(capsys):
    found = load(unit("layers", "x = 1", "print('training')", notebook=True), unit("student", "from layers import x"))

    assert found.names["x"] == 1
    assert capsys.readouterr().out == ""


def test_siblings_that_import_each_other_are_loaded():
    found = load(
        unit("a", "import b\nx = 1"), unit("b", "import a\ny = 2"), unit("student", "import a, b\nz = a.x + b.y")
    )

    assert found.names["z"] == 3


def test_error_in_a_sibling_is_told_with_its_file_and_line():
    found = load(unit("layers", "x = 1\ny = missing"), unit("student", "import layers"))

    assert found.notes == [
        ("raised", None, 1, "ImportError: layers.py, line 2: NameError: name 'missing' is not defined")
    ]


@pytest.mark.parametrize("name", ["torch", "json", "random"])
def test_students_own_module_of_that_name_shadows_nothing(name):
    found = load(unit(name, "shadow = True"), unit("student", f"import {name}\nfound = hasattr({name}, 'shadow')"))

    assert found.names["found"] is False


def test_torch_is_torch():
    assert load(unit("torch", "x = 1"), unit("student", "import torch")).names["torch"] is torch


# Notes ----------------------------------------------------------------------------------------------------------------


def test_text_of_an_exception_that_cannot_be_had_is_left_out():
    found = script("class Odd(Exception):\n    def __str__(self):\n        raise SystemExit\n\n\nraise Odd")

    assert found.notes[-1][3] == "Odd: (its text could not be read)"


def test_text_of_an_exception_is_cut():
    found = script("raise ValueError('x' * 10**6)")

    assert len(found.notes[-1][3]) < 2100
