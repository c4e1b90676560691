"""Submissions that are alike: copies come first, right solutions of their own do not come at all."""

import io
import itertools
import keyword
import random
import re
import tokenize
from pathlib import Path

import msgspec
import pytest

from bench.submissions import known
from grader.alike import alike, starter_code
from grader.alike.found import Alike
from grader.alike.parts import MOST_LINE_CHARACTERS, MOST_LINES
from grader.alike.search import MOST_PARTS
from grader.alike.tokens import NAME, NUMBER, STRING, kinds
from grader.model.course import load_course
from grader.model.submission import Cell, SourceFile, Submission

ROOT = Path(__file__).parents[1]
COURSE = load_course(ROOT / "solutions")
STARTER = starter_code(COURSE)
REWRITES = {one.name: sorted((one.checks.parent / "rewrites").glob("*.py")) for one in COURSE.exercises}
# One of the known rewrites has this from the book, and so it is no work of its own.
BOOK = """\
def print_gradients(model, x):
    output = model(x)
    loss = nn.MSELoss()(output, torch.tensor([[0.]]))
    loss.backward()
    for name, param in model.named_parameters():
        if 'weight' in name:
            print(f"{name} has gradient mean of {param.grad.abs().mean().item()}")
"""
ORIGINAL = '''\
import torch
from torch import nn


def scale(values, factor):
    """Stretch a tensor."""
    total = values.sum() if factor > 2 else values.mean()
    return [total * factor + item ** 2 for item in values if item is not None]


class Ring:
    def __init__(self, size, step=3):
        # a ring of numbers
        self.size, self.step = size, step
        self.places = {index: (index + step) % size for index in range(size)}

    def walk(self, start):
        seen = []
        while start not in seen:
            seen.append(start)
            start = self.places[start]
        return tuple(reversed(seen))
'''
RING_COPIED = '''\
class Wheel:
    """A wheel."""
    def __init__(w, n, by=4):
        w.n, w.by = n, by
        w.to = {i: (i + by) % n
                for i in range(n)}   # where it turns to

    def turn(w, at):
        "Turn it."
        been = []
        while at not in been:
            been.append(at); at = w.to[at]
        return tuple(
            reversed(been),
        )
'''
SCALE_COPIED = """\
def grow(v, f):
    s = v.sum() if f > 1 else v.mean()  # noqa
    return [s * f + x ** 3 for x in v
            if x is not None]
"""
COPY = f"from torch import nn\nimport torch\n\n{RING_COPIED}\n{SCALE_COPIED}"


def file(source: str, path: str = "work.py") -> SourceFile:
    return SourceFile(path, "py", "", (Cell(None, source),))


def notebook(*cells: str) -> SourceFile:
    numbered = tuple(Cell(number, source) for number, source in enumerate(cells, 1))
    return SourceFile("work.ipynb", "ipynb", "", numbered)


def submission(*files: SourceFile) -> Submission:
    return Submission("", "", (), files)


def right_class() -> list[tuple[str, Submission]]:
    """The known rewrites as a class: each hands in one solution of every exercise, as long as there are any."""
    rows = itertools.zip_longest(*REWRITES.values())
    return [
        (
            f"student {number:02}",
            submission(
                *(
                    file(path.read_text(encoding="utf-8"), f"{name}.py")
                    for name, path in zip(REWRITES, row, strict=True)
                    if path
                )
            ),
        )
        for number, row in enumerate(rows)
    ]


def names(found: Alike) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in found.pairs]


# What is found --------------------------------------------------------------------------------------------------------


def test_a_copy_with_other_names_and_another_order_comes_first():
    handed_in = [*right_class(), ("a", submission(file(ORIGINAL))), ("b", submission(file(COPY, "mine.py")))]
    found = alike(handed_in, [*STARTER, BOOK])
    assert names(found) == [("a", "b")]
    assert found.pairs[0].score >= 0.6


def test_the_matching_parts_are_named_by_lines_of_both():
    handed_in = [("a", submission(file(ORIGINAL))), ("b", submission(file(COPY, "mine.py")))]
    (pair,) = alike(handed_in, ()).pairs
    ring, scale = pair.parts
    assert (ring.one.first, ring.one.last, ring.other.first, ring.other.last) == (11, 22, 4, 18)
    assert (scale.one.first, scale.one.last, scale.other.first, scale.other.last) == (5, 8, 20, 23)
    assert scale.one.lines[0] == "def scale(values, factor):"
    assert (scale.one.file, scale.other.file) == ("work.py", "mine.py")
    assert pair.tokens == ring.tokens + scale.tokens


@pytest.mark.parametrize("number", range(8))
def test_one_who_hands_in_a_whole_solution_of_another_comes_first(number):
    handed_in = right_class()
    found = alike([*handed_in, ("the other", handed_in[number][1])], [*STARTER, BOOK])
    assert names(found)[0] == (handed_in[number][0], "the other")


def test_right_solutions_of_their_own_are_not_alike():
    found = alike(right_class(), [*STARTER, BOOK])
    assert found.pairs == ()
    assert found.students == max(map(len, REWRITES.values()))


@pytest.mark.parametrize("name", REWRITES)
def test_right_solutions_of_one_exercise_are_not_alike(name):
    handed_in = [(path.stem, submission(file(path.read_text(encoding="utf-8")))) for path in REWRITES[name]]
    assert alike(handed_in, [*STARTER, BOOK]).pairs == ()


def test_text_that_two_have_from_a_book_is_found_until_it_is_called_starter_code():
    handed_in = [*right_class(), ("from the book", submission(file(BOOK)))]
    (pair,) = alike(handed_in, STARTER).pairs
    assert "def print_gradients(model, x):" in pair.parts[0].one.lines
    assert alike(handed_in, [*STARTER, BOOK]).pairs == ()


def test_one_copied_file_among_three_is_enough():
    handed_in = dict(right_class())
    one, other = handed_in["student 03"], handed_in["student 06"]
    handed_in["student 03"] = submission(*one.files[:2], file(ORIGINAL, one.files[2].path))
    handed_in["student 06"] = submission(*other.files[:2], file(COPY, other.files[2].path))
    assert names(alike(handed_in.items(), [*STARTER, BOOK])) == [("student 03", "student 06")]


def test_a_notebook_is_compared_with_a_file():
    cells = notebook("print('hello')", "import torch", RING_COPIED, SCALE_COPIED)
    (pair,) = alike([("a", submission(file(ORIGINAL))), ("b", submission(cells))], ()).pairs
    assert [(part.other.file, part.other.cell, part.other.first) for part in pair.parts] == [
        ("work.ipynb", 3, 1),
        ("work.ipynb", 4, 1),
    ]
    assert pair.parts[0].one.cell is None


def test_a_copy_that_is_no_python_is_found():
    broken = COPY.replace("while at not in been:", "while at not in been:::") + "\n)))) '''never closed"
    assert names(alike([("a", submission(file(ORIGINAL))), ("b", submission(file(broken)))], ())) == [("a", "b")]


# What is not found ----------------------------------------------------------------------------------------------------


CHANGES = {
    "as it is": lambda text: text,
    "other names": lambda text: text.replace("dim", "width").replace("dropout", "rate"),
    "no comments": lambda text: re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE),
}


@pytest.mark.parametrize("change", CHANGES)
def test_starter_code_never_matches(change):
    files = [file(CHANGES[change](source), f"{at}.py") for at, source in enumerate(STARTER)]
    found = alike([(name, submission(*files)) for name in "ab"], STARTER, least=0.0)
    assert found.pairs == ()
    assert found.nothing_own == 2


def test_what_many_have_counts_little():
    own = [f"x{at} = [{'(' * at}1{')' * at} for y in z if w]\n" * 3 for at in range(20)]
    handed_in = [(f"{at:02}", submission(file(ORIGINAL + text))) for at, text in enumerate(own)]
    assert alike(handed_in, ()).pairs == ()
    assert names(alike([*handed_in[:2]], ())) == [("00", "01")]


def test_little_in_common_is_not_alike_however_rare():
    little = "value = [a ** b for a in c if d]\n"
    assert alike([(name, submission(file(little))) for name in "ab"], ()).pairs == ()


def test_nothing_handed_in_is_alike_to_nothing():
    assert alike([], ()).pairs == ()
    assert alike([("a", submission()), ("b", submission(file("")))], ()).nothing_own == 2


# Bounds ---------------------------------------------------------------------------------------------------------------

_RANDOM = random.Random(1)
HOSTILE = {
    "huge line": "x = " + "a + " * 1_000_000,
    "null bytes": "\0" * 4_000_000,
    "deep nesting": "(" * 2_000_000 + ")" * 2_000_000,
    "deep blocks": "".join(" " * depth + "if a:\n" for depth in range(2_000)),
    "unclosed strings": '"""\n' + '\\"""\n' * 800_000,
    "quotes": "'" * 4_000_000,
    "backslashes": "\\" * 4_000_000,
    "one name": "a" * 4_000_000,
    "one comment": "#" * 4_000_000,
    "empty lines": "\n" * 4_000_000,
    "the same line": "a.b = c(d, e)\n" * 300_000,
    "no two alike": " ".join(_RANDOM.choices(["a", "1", "'x'", "if", "for", "in", ":=", *"+()[],*."], k=1_000_000)),
    "surrogates": "\ud800 = '\udfff'\n" * 100_000,
    "other scripts": "名前 = 値(引数, 引数)\n" * 100_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_sources_are_bounded(kind):
    """What two of them give fits a page, and says that not all was looked at."""
    found = alike([(name, submission(file(HOSTILE[kind]))) for name in "ab"], ())
    assert found.cut == ("a", "b")
    for pair in found.pairs:
        assert len(pair.parts) <= MOST_PARTS
        sides = [side for part in pair.parts for side in (part.one, part.other)]
        assert all(len(side.lines) <= MOST_LINES for side in sides)
        assert all(len(line) <= MOST_LINE_CHARACTERS for side in sides for line in side.lines)


def test_hostile_sources_leave_the_others_as_they_are():
    hostile = [(kind, submission(file(source))) for kind, source in HOSTILE.items()]
    pair = [("a", submission(file(ORIGINAL))), ("b", submission(file(COPY)))]
    assert names(alike(pair + hostile, ())) == [("a", "b")]


def test_many_pairs_are_bounded_and_counted():
    sources = [REWRITES["transformer_block"][at].read_text(encoding="utf-8") for at in (0, 2, 4, 7)]
    handed_in = [(f"{at}{again}", submission(file(text))) for at, text in enumerate(sources) for again in "ab"]
    all_of_them = alike(handed_in, (), least=0.1)
    few = alike(handed_in, (), least=0.1, most_pairs=2)
    assert few.pairs == all_of_them.pairs[:2]
    assert few.pairs_left_out == len(all_of_them.pairs) - 2


def test_the_order_in_which_they_come_does_not_matter():
    handed_in = [*right_class(), ("a", submission(file(ORIGINAL))), ("b", submission(file(COPY)))]
    found = [msgspec.json.encode(alike(order, STARTER, least=0.1)) for order in (handed_in, handed_in[::-1])]
    assert found[0] == found[1]


# Tokens ---------------------------------------------------------------------------------------------------------------

SAME = {
    "names and literals": ("a = b(1, 'x')", "left = right(2.5e-3, f'y')"),
    "comments and layout": ("f(a, b)\ng(c)", "# why\nf(a,\n  b,\n)\n\n\ng(c)  # so"),
    "docstrings": ("def f():\n    return 1", 'def g():\n    """Say it."""\n    return 1'),
    "strings in pieces": ("f('one two')", "f('one '\n  'two')"),
    "constants": ("x = True", "x = None"),
    "semicolons": ("a = b\nc = d", "a = b; c = d"),
}
OTHER = {
    "operators": ("x = a + b", "x = a - b"),
    "keywords": ("while a: b()", "if a: b()"),
    "a literal for a name": ("x = a", "x = 1"),
    "a string that is used": ("f('x')", "f()"),
    "an argument on a line of its own": ("f(\n    'x'\n)", "f()"),
}


@pytest.mark.parametrize("kind", SAME)
def test_these_are_the_same(kind):
    one, other = SAME[kind]
    assert kinds(one, 100).text == kinds(other, 100).text


@pytest.mark.parametrize("kind", OTHER)
def test_these_are_not_the_same(kind):
    one, other = OTHER[kind]
    assert kinds(one, 100).text != kinds(other, 100).text


PLAIN = {"NAME": NAME, "NUMBER": NUMBER, "STRING": STRING, "FSTRING_END": STRING}
LAYOUT = {"NEWLINE", "INDENT", "DEDENT", "ENCODING"}


def tokens_of_python(source: str) -> list[tuple[str, int]]:
    """(kind, line) as Python's own tokenizer sees them, as far as they are to count."""
    read = [(tokenize.tok_name[one.type], one) for one in tokenize.generate_tokens(io.StringIO(source).readline)]
    read = [(name, one) for name, one in read if name not in {"NL", "COMMENT"} and one.string != ";"]
    found: list[tuple[str, int]] = []
    started = inside = 0  # since Python 3.12 an f-string is many tokens
    around = zip(["NEWLINE", *(name for name, _ in read)], read, [*(name for name, _ in read[1:]), ""], strict=False)
    for before, (name, token), after in around:
        docstring = name == "STRING" and before in LAYOUT and after == "NEWLINE"
        started = token.start[0] if name in {"STRING", "FSTRING_START"} and not inside else started
        inside += (name == "FSTRING_START") - (name == "FSTRING_END")
        if inside:
            continue
        if token.string in {")", "]", "}"} and found[-1][0] == ",":
            found.pop()
        if name in {"STRING", "FSTRING_END"} and not docstring and found[-1][0] != STRING:
            found.append((STRING, started))
        elif name in {"NAME", "NUMBER", "OP"}:
            found.append((kind_of(token.string, PLAIN.get(name, "")), token.start[0]))
    return found


def kind_of(text: str, kind: str) -> str:
    if text in {"True", "False", "None"}:
        return NUMBER
    if keyword.iskeyword(text):
        return "keyword"
    return kind or (text if len(text) == 1 else "sign")


def tokens_of_ours(source: str) -> list[tuple[str, int]]:
    read = kinds(source, 100_000)
    named = {range(0x100, 0x200): "keyword", range(0x200, 0x300): "sign"}
    return [
        (next((name for part, name in named.items() if ord(kind) in part), kind), line)
        for kind, line in zip(read.text, read.lines, strict=True)
    ]


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda one: one.name)
def test_tokens_are_those_of_python(exercise):
    """All solutions, right ones and others, of which many are written oddly."""
    paths = [exercise.solution, *(path for right in (True, False) for path in known(exercise.name, are_right=right))]
    sources = {"/".join(path.parts[-2:]): path.read_text(encoding="utf-8") for path in paths}
    sources.pop("wrong/syntax_error.py", None)  # at which Python gives up
    assert len(sources) > 50
    assert [name for name, source in sources.items() if tokens_of_ours(source) != tokens_of_python(source)] == []
