"""Sources that are made to exhaust the parser, and sources that are not what they look like."""

import ast
import subprocess
import time

import pytest

from grader.errors import SandboxError
from grader.intake import parsing
from grader.intake.parsing import Parser, Parsers

CLASS = "class ResidualAdd:\n    def forward(self, x):\n        return x\n"
ROOM = (256 << 10) - 200


def filled(unit, before="", after=""):
    """As many units as fit into the largest file that is read."""
    return before + unit * ((ROOM - len(before + after)) // len(unit.encode())) + after + "\n"


BOMBS = {
    "dotted import": filled("a.", "import ", "a"),
    "dotted from": filled("a.\\\n", "from ", "a import b"),
    "f-string": filled("{a}", "f'", "'"),
    "f-string formats": filled("{a:{a}}", "f'", "'"),
    "list": filled("1,", "[", "]"),
    "statements": filled("a\n"),
    "unary minus": filled("-", "", "1"),
    "not": filled("not ", "", "1"),
    "power": filled("**a", "a"),
    "attributes": filled(".a", "a"),
    "calls": filled("()", "a"),
    "sum": filled("+a", "a"),
    "lambda": filled("lambda:", "", "1"),
    "conditions": filled("a if a else ", "", "a"),
    "elif": filled("elif a:a\n", "if a:a\n"),
    "brackets": filled("["),
    "closed brackets": filled("[" * 90 + "]" * 90 + "\n"),
    "indents": "".join(" " * depth + "if a:\n" for depth in range(500)),
    "long number": filled("9", "x = "),
    "letters of another script": filled("é;"),
    "quotes": "é\n" + filled("'\n"),
    "backslashes": "é\n" + filled("\\"),
    "digits": "é\n" + filled("1_"),
    "form feeds": filled("\f\n"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_its_time_and_nothing_else(hand_in, name, monkeypatch):
    monkeypatch.setattr(parsing, "SOURCE_SECONDS", 1.0)
    begun = time.monotonic()
    submission = hand_in({"residual_add.py": CLASS + BOMBS[name], "b.py": "class TransformerBlock: pass"})
    assert time.monotonic() - begun < 10
    assert [file.path for file in submission.files] == ["b.py", "residual_add.py"]
    assert [work.problem and work.problem.kind for work in submission.works] == [None, "missing", None]


def test_nothing_is_parsed_in_this_process(hand_in, monkeypatch):
    monkeypatch.setattr(ast, "parse", None)
    assert hand_in({"residual_add.py": CLASS}).works[0].problem is None


@pytest.fixture
def started(monkeypatch):
    """Every process that was started."""
    processes, start = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *args, **options: processes.append(start(*args, **options)) or processes[-1]
    )
    return processes


def test_one_process_parses_all_and_is_gone_afterwards(hand_in, started):
    hand_in({"residual_add.py": CLASS, "b.py": "x = 1", "c.py": "y = 1"})
    assert [process.poll() is None for process in started] == [False]


def test_a_process_that_was_ended_is_followed_by_another(started, monkeypatch):
    monkeypatch.setattr(parsing, "SOURCE_SECONDS", 0.5)
    with Parser(["ResidualAdd"]) as parser:
        assert parser.outline(CLASS + BOMBS["f-string"]).is_broken
        assert not parser.outline(CLASS).is_broken
    assert [process.poll() is None for process in started] == [False, False]


def test_one_process_parses_for_many_submissions(hand_in, started):
    with Parsers() as parsers:
        for number in range(3):
            assert not hand_in({"residual_add.py": CLASS + f"x = {number}\n"}, parsers=parsers).works[0].problem
    assert [process.poll() is None for process in started] == [False]


def test_two_submissions_at_a_time_have_a_process_each(started):
    with Parsers() as parsers:
        with Parser([], parsers) as one, Parser([], parsers) as other:
            assert one.outline("a = 1").assigns == {"a"}
            assert other.outline("b = 1").assigns == {"b"}
        with Parser([], parsers) as third:
            assert third.outline("c = 1").assigns == {"c"}
        assert len(started) == 2
    assert [process.poll() is None for process in started] == [False, False]


def test_what_ends_a_kept_process_costs_the_next_submission_nothing(started, monkeypatch):
    monkeypatch.setattr(parsing, "SOURCE_SECONDS", 0.5)
    with Parsers() as parsers:
        with Parser([], parsers) as hostile:
            assert hostile.outline(CLASS + BOMBS["f-string"]).is_broken
        started[-1].kill()
        with Parser([], parsers) as honest:
            assert honest.outline(CLASS).classes == ("ResidualAdd",)
            started[-1].kill()
            assert honest.outline("x = 1").assigns == {"x"}


def test_a_process_that_has_grown_is_replaced(started, monkeypatch):
    monkeypatch.setattr(parsing, "KEPT_MIB", 1)
    with Parsers() as parsers:
        for name in ("a", "b"):
            with Parser([], parsers) as parser:
                assert parser.outline(f"{name} = 1").assigns == {name}
    assert len(started) == 2


def test_a_source_that_ends_every_process_is_asked_of_two_at_most(started, monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text("input(); print('{}', flush=True); input()\n")
    monkeypatch.setattr(parsing, "_CHILD", child)
    with Parser([]) as parser:
        assert not parser.outline("x = 1").is_broken
        child.write_text("input()\n")
        assert parser.outline("x = 2").is_broken
    assert len(started) == 2


def test_an_answer_that_nobody_waited_for_is_given_to_nobody(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with Parsers() as parsers:
        with Parser([], parsers) as first:
            first.outline("a = 1")
            monkeypatch.setattr("msgspec.json.decode", interrupted)
            with pytest.raises(KeyboardInterrupt):
                first.outline("b = 1")
        monkeypatch.undo()
        assert parsers.take() is None


def test_bombs_share_one_clock(hand_in, monkeypatch):
    monkeypatch.setattr(parsing, "SUBMISSION_SECONDS", 1.0)
    begun = time.monotonic()
    submission = hand_in({f"{number}.py": CLASS + BOMBS["f-string"] for number in range(10)})
    assert time.monotonic() - begun < 6
    assert submission.works[0].file.path == "0.py"


def test_a_parser_that_cannot_be_started_is_our_fault(hand_in, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.executable", str(tmp_path / "no python"))
    with pytest.raises(SandboxError, match="could not be started"):
        hand_in({"residual_add.py": CLASS})


def test_an_answer_that_is_none_is_the_end_of_that_process(hand_in, monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text("import sys\nfor line in sys.stdin: print('{\"defines\": 1}', flush=True)\n")
    monkeypatch.setattr(parsing, "_CHILD", child)
    assert hand_in({"residual_add.py": CLASS}).works[0].file.defines == ("ResidualAdd",)


def test_nothing_that_lies_about_is_imported(hand_in, monkeypatch, tmp_path):
    for name in ("ast", "json", "tokenize", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    hand_in({"residual_add.py": CLASS + "é = 1\n", "ast.py": "open('ran', 'w')"})
    assert not (tmp_path / "ran").exists()


def test_many_names_that_are_nearly_right_take_no_time(hand_in):
    body = "\n".join(f"class ResidualAdx{number:03}: 0" for number in range(60))
    files = {f"{number}.py": body for number in range(400)}
    begun = time.monotonic()
    assert hand_in(files).works[0].problem.kind == "not_defined"
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize("coding", ["rot13", "utf-7", "unicode_escape", "punycode", "cp1252", "utf_8_x"])
def test_an_encoding_that_hides_code_is_refused_by_name(work_for, coding):
    problem = work_for({"residual_add.py": f"#!/usr/bin/python\n# vim: set fileencoding={coding} :\n{CLASS}"}).problem
    assert problem.kind == "unreadable"
    assert f"`{coding}`" in problem.happened


@pytest.mark.parametrize("data", [b"\xed\xa0\x80", b"\xc0\x80", b"\xf8\x88\x80\x80\x80", b"\xfe\xff", b"x\0"])
def test_bytes_that_are_no_utf8_are_a_problem(work_for, data):
    assert work_for({"residual_add.py": CLASS.encode() + b"# " + data + b"\n"}).problem.kind == "unreadable"


# What it looks like ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("# \u202eyalp", "line 4: a character that cannot be seen (U+202E)"),
        ("'\u2066#'", "line 4: a character that cannot be seen (U+2066)"),
        ("'a\u200bb'", "line 4: a character that cannot be seen (U+200B)"),
        ("'\x1b[2J'", "line 4: a character that cannot be seen (U+001B)"),
        ("\u3164 = 1", "line 4: a character that cannot be seen (U+3164)"),
        ("# \U000e0041", "line 4: a character that cannot be seen (U+E0041)"),
        ("p\u0430ram = 1", "line 4: the name `p\u0430ram` looks like `param` and is another one (U+0430)"),
        ("\u0445 = 1", "line 4: the name `\u0445` looks like `x` and is another one (U+0445)"),
        ("\ufb01lter = 1", "line 4: Python reads the name `\ufb01lter` as `filter` (U+FB01)"),
        ("\U0001d431 = 1", "line 4: Python reads the name `\U0001d431` as `x` (U+1D431)"),
    ],
)
def test_what_is_not_what_it_looks_like_is_remarked_with_its_line(work_for, line, remark):
    file = work_for({"residual_add.py": f"{CLASS}{line}\n"}).file
    assert file.notes == (remark,)
    assert line in file.cells[0].source


@pytest.mark.parametrize(
    "line",
    [
        "# параметр х, \u03b1 и \u0445",
        "'\u043f\u0430\u0440\u0430\u043c'",
        "\u03b1 = \u03b2 = \u0394x = 1",
        "größe = 1",
        "# 👩\u200d💻 ❤\ufe0f",
        "数学 = 1",
        "\u00b5 = 1",
    ],
)
def test_other_languages_need_no_remark(work_for, line):
    assert work_for({"residual_add.py": f"{CLASS}{line}\n"}).file.notes == ()


def test_a_remark_on_a_cell_names_the_cell(work_for):
    cells = [{"cell_type": "code", "source": text} for text in (CLASS, "x = 1\n# \u202e")]
    work = work_for({"residual_add.ipynb": repr({"cells": cells}).replace("'", '"')})
    assert work.file.notes == ("cell 2, line 2: a character that cannot be seen (U+202E)",)


def test_a_flood_of_them_is_cut_and_counted(work_for):
    letters = "аеорсух"
    source = CLASS + "".join(f"{letter}{number} = '\u200b'\n" for letter in letters for number in range(10))
    notes = work_for({"residual_add.py": source}).file.notes
    assert notes[0] == "line 4, 5, 6, 7, 8, and 65 more lines: a character that cannot be seen (U+200B)"
    assert (len(notes), notes[-1]) == (21, "… and 1 more")


def test_a_class_in_look_alike_letters_is_told_so(work_for):
    problem = work_for({"residual_add.py": CLASS.replace("Residual", "R\u0435sidual")}).problem
    assert problem.kind == "not_defined"
    assert problem.happened.endswith("They look alike, but other letters are in yours (U+0435).")
