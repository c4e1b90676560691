"""The line of a mistake: the right one or none, never another one.

`tests/samples/lines.txt` holds the line that a teacher would point at, for known mistakes: `file: line`. There stands
`none` where no single line holds it, and `not found` behind a line that is known to be missed.
"""

import ast
import json
import re
from pathlib import Path

import pytest

from grader.checks.where import Code, place_of, syntax, trees
from grader.checks.where.place import found
from grader.checks.where.syntax import MOST_CHARACTERS

ROOT = Path(__file__).parents[2]
CLASSES = {
    "residual_add": "ResidualAdd",
    "deep_network": "ExampleDeepNeuralNetwork",
    "transformer_block": "TransformerBlock",
}
TAGS = {
    f"tests/cases/{case['file']}": case["diagnosis"]
    for case in json.loads((ROOT / "tests/cases/manifest.json").read_bytes())
}
WANTED = dict(line.split(": ") for line in (ROOT / "tests/samples/lines.txt").read_text(encoding="utf-8").splitlines())
HEADER = re.compile(r"# tag: (?P<tag>[\w-]+)(?: \| formula: (?P<formula>.+))?")
ADDED = "x + self.drop(self.sublayer(self.norm(x), **kwargs))"


def code_of(source, name="ResidualAdd", forward=None):
    return Code([ast.parse(source)], name, forward)


def half_of(name):
    return next((half for half in ("attn", "ffn") if f"_{half}" in name), None)


def line_in(name):
    path = ROOT / name
    exercise, source = path.parts[-3], path.read_text(encoding="utf-8")
    asked = code_of((ROOT / "solutions" / exercise / "solution.py").read_text(encoding="utf-8"), CLASSES[exercise])
    tag = TAGS[name] if name in TAGS else HEADER.match(source)["tag"]
    return found(code_of(source, CLASSES[exercise]), tag, half_of(path.stem), asked)


# Known mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WANTED)
def test_line_of_a_known_mistake_is_the_one_a_teacher_points_at(name):
    wanted = WANTED[name]
    place = line_in(name)
    if wanted == "none" or wanted.endswith("not found"):
        assert place is None
    else:
        assert place == (None, int(wanted))


def test_nearly_all_lines_are_found():
    missed = [name for name, wanted in WANTED.items() if wanted.endswith("not found")]
    assert len(missed) < 0.05 * len(WANTED)


# Other ways to write them ---------------------------------------------------------------------------------------------


BLOCK = """\
class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)
        {more}

    def forward(self, x, **kwargs):
"""


def line_of(tag, *lines, more="pass", half=None):
    source = BLOCK.format(more=more) + "".join(f"        {line}\n" for line in lines)
    place = found(code_of(source), tag, half, None)
    return source.splitlines()[place[1] - 1].strip() if place is not None else None


@pytest.mark.parametrize(
    ("tag", "more", "lines", "wanted"),
    [
        ("post-norm", "pass", ("y = self.drop(self.sublayer(x))", "y = torch.add(x, y)", "return self.norm(y)"), 2),
        ("post-norm", "pass", ("h = x.clone()", "h += self.sublayer(x)", "return self.norm.forward(h)"), 2),
        ("norm-on-output", "self.f = nn.Sequential(sublayer, self.norm)", ("y = self.f(x)", "return x + y"), 0),
        ("missing-norm", "pass", ("h, y = self.norm(x), self.sublayer(x)", "return x + self.drop(y)"), 0),
        ("missing-skip", "pass", ("h = self.norm(x)", "if (y := self.sublayer(h)) is None: pass", "return y"), 1),
        ("wrong-scale", "pass", ("y = self.sublayer(self.norm(x))", "y = y.mul(0.5)", "return y + x"), 1),
        ("wrong-scale", "pass", ("y = self.sublayer(self.norm(x))", "y *= 2", "return y + x"), 1),
        ("wrong-skip-tensor", "pass", ("x = self.norm(x)", "x = self.sublayer(x)", "return x + x"), 2),
        ("dropout-on-skip", "pass", ("y = self.sublayer(self.norm(x))", "return F.dropout(x, 0.1) + y"), 1),
        ("sublayer-twice", "pass", ("for _ in (1, 2):", "    x = self.sublayer(x)", "return x"), 1),
        ("inplace-input", "pass", ("y = x.view(-1)", "x[:] = self.sublayer(x)", "return x"), 1),
        ("inplace-input", "pass", ("def add(a, b):", "    return a.add_(b)", "return add(x, self.sublayer(x))"), 1),
        ("extra-op", "self.out = nn.Linear(dim, dim)", ("y = x + self.sublayer(x)", "return self.out(y)"), 1),
    ],
)
def test_line_is_found_in_another_way_to_write_it(tag, more, lines, wanted):
    # A sequence is built in the constructor, and the norm in it is the mistake.
    expected = more if "Sequential" in more else lines[wanted].strip()
    assert line_of(tag, *lines, more=more) == expected


HALVES = """\
class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = MultiHeadAttention(cfg["emb_dim"])
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])

    def _half(self, x, norm, sublayer):
        return norm(x + sublayer(x))

    def forward(self, x):
        x = {first}
        return {second}
"""


@pytest.mark.parametrize(("half", "line"), [("attn", 13), ("ffn", 14)])
def test_half_tells_which_of_two_lines_it_is(half, line):
    source = HALVES.format(first="x + self.att(x)", second="x + self.ff(x)")
    assert found(code_of(source, "TransformerBlock"), "missing-norm", half, None) == (None, line)


def test_line_lies_in_the_method_that_both_halves_call():
    calls = {"first": "self._half(x, self.norm1, self.att)", "second": "self._half(x, self.norm2, self.ff)"}
    assert found(code_of(HALVES.format(**calls), "TransformerBlock"), "post-norm", "both", None) == (None, 10)


@pytest.mark.parametrize(
    ("tag", "lines"),
    [
        ("post-norm", ("return " + ADDED,)),
        ("missing-skip", ("return " + ADDED,)),
        ("wrong-scale", ("return " + ADDED,)),
        ("broken-gradient", ("return " + ADDED,)),
        ("missing-norm", ("h = unknown(x)", "while h is None: h = unknown(x)", "return x + self.sublayer(h)")),
        ("broken-gradient", ("y = self.sublayer(x).detach()", "return x.detach() + y")),
        ("no-such-tag", ("return " + ADDED,)),
    ],
)
def test_what_the_code_does_not_show_has_no_line(tag, lines):
    assert line_of(tag, *lines) is None


def test_forward_that_was_put_in_later_is_the_one_that_is_read():
    patch = "def forward(self, x):\n    return self.norm(x + self.sublayer(x))\n\nResidualAdd.forward = forward\n"
    source = BLOCK.format(more="pass") + f"        return {ADDED}\n\n{patch}"
    assert found(code_of(source, forward=(None, 12)), "post-norm", None, None) == (None, 13)


def test_class_of_another_name_behind_the_name_is_the_one_that_is_read():
    source = BLOCK.format(more="pass") + "        return self.norm(x)\n"
    both = source + source.replace("ResidualAdd", "Other") + "\nResidualAdd = Other\n"
    assert found(code_of(both, forward=(None, 19)), "missing-skip", None, None) is None
    assert code_of(both, forward=(None, 19)).cls.name == "Other"


# Sources that are made to cost something ------------------------------------------------------------------------------


BRANCHES = "        if x.shape: x = x + self.sublayer(x)\n" * 300
LAMBDAS = "        f0 = lambda x: x + x\n" + "".join(
    f"        f{n} = lambda x: f{n - 1}(x) + f{n - 1}(x) + f{n - 1}(x)\n" for n in range(1, 50)
)
LOOPS = "".join("        " + " " * depth + "for _ in x:\n" for depth in range(30)) + " " * 40 + "x = self.sublayer(x)\n"


@pytest.mark.parametrize("body", [BRANCHES, LAMBDAS, LOOPS], ids=["branches", "lambdas", "loops"])
def test_forward_with_endless_ways_is_given_up(body):
    code = code_of(BLOCK.format(more="pass") + body + "        return x\n")
    assert place_of(code, "post-norm") is None


def test_what_python_cannot_read_has_no_tree():
    good, bad = trees([(1, "x = 1"), (2, "y = (")]), trees([(None, "-" * 20_000 + "1")])
    assert [ast.unparse(tree) for tree in good] == ["x = 1"]
    assert bad == []


def test_more_than_is_looked_at_has_no_tree():
    assert trees([(None, "#" * (MOST_CHARACTERS + 1))]) == []


@pytest.fixture
def kept(monkeypatch):
    """The processes that are kept, none at first."""
    processes = []
    monkeypatch.setattr(syntax, "_kept", processes)
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def test_parser_that_hangs_is_left(monkeypatch, kept):
    monkeypatch.setattr(syntax, "SECONDS", 0.001)
    assert trees([(None, "x = 1")]) == []
    assert kept == []


def test_parser_is_kept_for_the_next_source(kept):
    pids = []
    for source in ("x = 1", "y = (", "z = 3"):
        trees([(None, source)])
        pids += [process.pid for process in kept]
    assert len(pids) == 3
    assert len(set(pids)) == 1


def test_parser_is_ended_with_the_submission(kept):
    trees([(None, "x = 1")])
    (process,) = kept
    syntax.close()
    assert (process.poll() is None, kept) == (False, [])


def test_parser_that_ended_is_replaced(kept):
    trees([(None, "x = 1")])
    kept[0].kill()
    kept[0].wait()
    assert [ast.unparse(tree) for tree in trees([(None, "y = 2")])] == ["y = 2"]


def test_parser_that_has_grown_is_not_kept(monkeypatch, kept):
    monkeypatch.setattr(syntax, "KEPT_MIB", 1)
    trees([(None, "x = 1")])
    (process,) = kept
    assert process.wait(timeout=10) == 0
    assert [ast.unparse(tree) for tree in trees([(None, "y = 2")])] == ["y = 2"]


def test_trees_keep_their_cells_and_lines():
    (tree,) = trees([(3, "\nx = 1")])
    assert (tree.body[0].cell, tree.body[0].lineno) == (3, 2)


# In the record --------------------------------------------------------------------------------------------------------


def where(record):
    return record.exercises[0].diagnosis.where


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]})


def test_record_names_the_line_and_what_stands_there(grade, forward):
    record = grade(forward("h = self.norm(x)", "y = self.sublayer(h, **kwargs)", "return self.drop(y)"))
    assert (where(record).line, where(record).code) == (14, "y = self.sublayer(h, **kwargs)")


def test_record_names_the_cell_and_the_line_in_it(grade, wrong):
    imports, block = wrong.split("\n\n\n", 1)
    record = grade({"residual_add.ipynb": notebook(imports, "x = 1", block)})
    assert (where(record).cell, where(record).line) == (3, 9)


def test_decorated_forward_is_read(grade, right):
    record = grade(right.replace("    def forward", "    @torch.no_grad()\n    def forward"))
    assert where(record).code == "@torch.no_grad()"


def test_last_of_two_classes_is_the_one_that_is_read(grade, right, wrong):
    record = grade(right + "\n\n" + wrong)
    assert where(record).line > right.count("\n")


def test_class_that_is_made_by_code_has_no_line(grade, wrong):
    assert where(grade(f"exec({wrong!r})")) is None


def test_class_that_is_made_by_code_hides_no_class_of_its_name(grade, right, wrong):
    assert where(grade(f"{right}\n\nexec({wrong!r})\n")) is None


def test_class_of_another_file_has_no_line(grade, wrong):
    record = grade({"residual_add.py": "from parts import Block as ResidualAdd\n",
                    "parts.py": wrong.replace("ResidualAdd", "Block")})  # fmt: skip
    assert where(record) is None


def test_plain_class_is_pointed_at(grade, right):
    record = grade(right.replace("(nn.Module)", "").replace("        super().__init__()\n", ""))
    assert where(record).code == "class ResidualAdd:"


def test_signature_is_compared_with_the_one_asked_for(grade, right):
    record = grade(right.replace("dropout=0.1", "dropout=0.0"))
    assert where(record).code == "def __init__(self, dim, sublayer, dropout=0.0):"


def test_size_that_is_written_out_is_the_line_and_not_where_it_stops(grade, right):
    record = grade(right.replace("LayerNorm(dim)", "LayerNorm(768)"))
    assert where(record).code == "self.norm = nn.LayerNorm(768)"


def test_sizes_that_follow_the_arguments_are_not_pointed_at_where_the_code_stops(grade, forward):
    record = grade(forward("h = self.norm(x).view(7, 7, 7)", "return x + h"))
    assert where(record).code == "h = self.norm(x).view(7, 7, 7)"


def test_line_lies_in_no_file_that_the_student_did_not_write(grade, forward):
    source = forward("return self.block(x)").replace("import torch\n", "import previous_chapters\nimport torch\n")
    record = grade(source.replace("self.sublayer = sublayer", "self.block = previous_chapters.LayerNorm(77)"))
    assert where(record).file == "residual_add.py"


def test_source_that_costs_too_much_costs_its_line_only(grade, wrong):
    record = grade(wrong + "import a" + ".a" * 25_000 + "\n")
    assert where(record) is None
    assert record.exercises[0].diagnosis.tag == "missing-skip"
