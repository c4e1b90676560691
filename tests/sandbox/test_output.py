"""What is kept of what a worker prints."""

from grader.model.results import Printed
from grader.sandbox.process import Output


def collected(*parts, keep=4):
    output = Output(keep)
    for part in parts:
        output.add(part)
    return output.take()


def test_short_output_is_kept_whole():
    assert collected(b"ab", b"c") == Printed("abc", "", 3)


def test_long_output_keeps_head_tail_and_count():
    assert collected(b"abcdef", b"ghij", b"klmnop") == Printed("abcd", "mnop", 16)


def test_output_between_once_and_twice_the_bound_is_whole_in_two_parts():
    assert collected(b"abcdef") == Printed("abcd", "ef", 6)


def test_characters_are_counted_not_bytes():
    assert collected("äö→".encode(), keep=100) == Printed("äö→", "", 3)


def test_character_cut_in_half_does_no_harm():
    printed = collected("äää".encode(), keep=3)

    assert printed.characters == 3
    assert printed.head.startswith("ä")


def test_bytes_that_are_no_text_are_replaced():
    assert collected(b"\xff\xfe").head == "\ufffd\ufffd"


def test_nothing_printed_is_nothing():
    assert collected() == Printed("", "", 0)


def test_second_take_has_only_what_came_after_the_first():
    output = Output(4)
    output.add(b"abcdefgh")
    output.take()

    output.add(b"xy")

    assert output.take() == Printed("xy", "", 2)


def test_memory_is_bounded_by_what_is_kept():
    output = Output(1000)

    for _ in range(1000):
        output.add(b"x" * 10_000)
    printed = output.take()

    assert (len(printed.head), len(printed.tail), printed.characters) == (1000, 1000, 10_000_000)
