"""What travels between judge and worker, and what is refused before it costs anything."""

import tracemalloc

import msgspec
import pytest
import torch

from grader.sandbox.worker import messages as m
from grader.sandbox.worker import wire
from grader.sandbox.worker.values import MAX_NUMBERS, pack, pack_tensor, unpack, unpack_tensor

X = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(3, 4)
TENSOR = pack_tensor(X)
VALUES = [None, True, 3, 2.5, "text", TENSOR, m.Items("tuple", [1, m.Items("list", [None])]), m.Table({"a": 1.5}),
          m.Reference(4), m.ProbeReference(0), m.Opaque("Thing", "words")]  # fmt: skip
REQUESTS = [
    m.Load([m.Unit("residual_add", "a b.py", False, [(None, "x = 1")])], ["ResidualAdd"]),
    m.Begin(2**63 - 1, "float64"),
    m.Build("ResidualAdd", list(VALUES), {"sublayer": m.ProbeReference(1)}),
    m.Call(m.Reference(0), list(VALUES), {"scale": 2.0}),
    m.Backward(3, TENSOR),
    m.Mode(m.Reference(1), True),
    m.Parameters(m.Reference(1), False),
    m.Assign(m.Reference(1), {"norm.weight": TENSOR}),
    m.Leaves(1, m.Reference(0)),
    m.Trace(m.Reference(0), [TENSOR]),
    m.State(),
]
REPLIES = [
    *(m.Done(value, [TENSOR], 7) for value in VALUES),
    m.Raised("ValueError", "words", [m.Place("a.py", 2, 3, "forward")], True),
    m.ProbeCall(0, list(VALUES), {"mask": TENSOR}),
    m.ProbeBackward(1, TENSOR),
]
ANSWERS = [m.Answer(TENSOR, 3), m.Refuse("no")]


def name(frame):
    return type(frame).__name__


def received(frame, kind="reply"):
    """What arrives at the other end."""
    data = wire.encode(frame, 1)
    _, structure, _ = wire.HEAD.unpack(data[: wire.HEAD.size])
    return wire.decode(kind, data[wire.HEAD.size :], structure)


def decoded(structure, tensors=b""):
    return wire.decode("reply", structure + tensors, len(structure))


def done(value, *rest):
    """The structure of a forged answer."""
    return msgspec.msgpack.encode(["done", value, *rest])


def packed(value):
    return pack(value, lambda _: None)


@pytest.mark.parametrize(
    ("kind", "frame"),
    [*(("request", r) for r in REQUESTS), *(("reply", r) for r in REPLIES), *(("answer", a) for a in ANSWERS)],
    ids=name,
)
def test_frame_round_trips(kind, frame):
    found = received(frame, kind)

    assert found == frame
    assert [t.data for t in wire.tensors_in(found)] == [t.data for t in wire.tensors_in(frame)]


def test_head_announces_structure_and_tensors():
    frame = wire.encode(m.Done(m.Items("list", [TENSOR, TENSOR])), 5)

    question, structure, tensors = wire.HEAD.unpack(frame[: wire.HEAD.size])

    assert (question, tensors) == (5, 2 * 12 * 8)
    assert wire.HEAD.size + structure + tensors == len(frame)


def test_tensors_get_their_own_bytes():
    tensors = [torch.full((n,), float(n)) for n in range(5)]

    found = received(m.Done(packed({"a": tensors[:2], "b": tuple(tensors[2:4])}), [pack_tensor(tensors[4])]))

    arrived = [*found.value.items["a"].items, *found.value.items["b"].items, *found.after]
    assert all(torch.equal(unpack_tensor(data), tensor) for data, tensor in zip(arrived, tensors, strict=True))


# Refused by the head --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("structure", "tensors"), [(wire.MAX_STRUCTURE + 1, 0), (0, wire.MAX_DATA + 1), (2**32 - 1, 2**32 - 1)]
)
def test_reply_that_announces_too_much_is_refused(structure, tensors):
    with pytest.raises(m.BadFrame, match="MiB of data"):
        wire.announced(wire.HEAD.pack(1, structure, tensors), 1)


def test_answer_to_another_question_is_refused():
    head = wire.encode(m.Done(None), 6)[: wire.HEAD.size]

    with pytest.raises(m.BadFrame, match="an answer to question 6 instead of 7"):
        wire.announced(head, 7)


@pytest.mark.parametrize("count", [m.MAX_TENSORS + 1, m.MAX_TENSORS * 3])
def test_more_tensors_than_a_frame_may_hold_are_refused_at_both_ends(count):
    value = m.Items("list", [m.TensorData("int8", (0,))] * count)

    with pytest.raises(m.BadFrame, match=f"{count:,} tensors"):
        wire.encode(m.Done(value), 1)
    with pytest.raises(m.BadFrame, match=f"{count:,} tensors"):
        decoded(msgspec.msgpack.encode(m.Done(value)))


def test_numbers_are_counted_whatever_their_dtype():
    tensor = pack_tensor(torch.zeros(MAX_NUMBERS, dtype=torch.int8))

    with pytest.raises(m.BadFrame, match="12,582,912 numbers"):
        wire.encode(m.Done(m.Items("list", [tensor] * 3)), 1)


# Refused by the structure ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "structure",
    [b"", b"\xc1", b"\xff" * 100, done(None) + b"\0", done(None)[:-1], msgspec.msgpack.encode("done"),
     done(None).replace(b"\xc0", b"\xa2\xff\xfe"), done(None).replace(b"\xc0", b"\xa3\xed\xa0\x80"),
     done(None).replace(b"\xc0", b"\xd6\xff\0\0\0\0"), done(None).replace(b"\xc0", b"\xc4\x01a")],
    ids=["nothing", "no_messagepack", "noise", "trailing", "half", "text", "no_utf_8", "surrogate", "timestamp",
         "bytes"],
)  # fmt: skip
def test_bytes_that_are_no_message_are_refused(structure):
    with pytest.raises(m.BadFrame):
        decoded(structure)


@pytest.mark.parametrize(
    "message",
    [
        ["unknown", None],
        ["done"],
        ["done", None, [], 0, "more"],
        ["done", None, [], -1],
        ["done", None, [], 2**64 - 1],
        ["done", None, [], 0.5],
        ["done", None, None, 0],
        ["done", 2**64],
        ["done", {"a": 1}],
        ["done", [1, 2]],
        ["done", ["object", -1]],
        ["done", ["object", "0"]],
        ["done", ["items", "set", []]],
        ["done", ["table", {1: 2}]],
        ["done", ["tensor", "float64", [2, -1]]],
        ["done", ["tensor", "float64", [2.0]]],
        ["done", ["tensor", "float64", [2**41]]],
        ["done", ["tensor", "float64", [2**64 - 1]]],
        ["done", ["tensor", "float64", [1] * 9]],
        ["done", ["tensor", "float64", None]],
        ["done", ["tensor", "complex64", [0]]],
        ["done", ["tensor", 64, [0]]],
        ["done", ["tensor", "float64", [0], False, False, b""]],
        ["done", ["opaque", "x" * 401, ""]],
        ["raised", "Error", "x" * 2001, [], False],
        ["raised", "Error", "", [["place", "a", None, 1, "f"]] * 51, False],
        ["raised", "Error", "", [["place", "a", None, -1, "f"]], False],
        ["raised", "Error", "", [], "yes"],
        ["probe-call", 0, [], {str(n): n for n in range(17)}],
        ["probe-call", -1, [], {}],
        ["probe-backward", 0, None],
        ["begin", 1, "float64"],
        ["answer", None, 0],
    ],
    ids=str,
)
def test_message_outside_the_protocol_is_refused(message):
    try:
        structure = msgspec.msgpack.encode(message)
    except OverflowError:
        structure = done(None).replace(b"\xc0", b"\xcf" + b"\xff" * 8 + b"\0")

    with pytest.raises(m.BadFrame):
        decoded(structure)


def test_last_of_equal_keys_counts():
    assert decoded(b"\x92\xa4done\x92\xa5table\x82\xa1a\x01\xa1a\x02").value == m.Table({"a": 2})


def test_structure_that_nests_without_end_is_refused():
    with pytest.raises(m.BadFrame):
        decoded(b"\x94\xa4done" + b"\x93\xa5items\xa4list\x91" * 70_000)


# Refused by the bytes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", TENSOR.data[:-1], TENSOR.data + b"\0", TENSOR.data * 2], ids=len)
def test_wrong_byte_count_is_refused(data):
    with pytest.raises(m.BadFrame, match=f"{len(data)} bytes for tensors of 96"):
        decoded(done(["tensor", "float64", [3, 4]]), data)


def test_no_two_tensors_share_bytes():
    two = [["tensor", "float64", [3, 4]]] * 2

    with pytest.raises(m.BadFrame, match="96 bytes for tensors of 192"):
        decoded(done(["items", "list", two]), TENSOR.data)


def test_bytes_that_belong_to_no_tensor_are_refused():
    with pytest.raises(m.BadFrame, match="8 bytes for tensors of 0"):
        decoded(done(None), b"\0" * 8)


@pytest.mark.parametrize("shape", [[2**23] * 8, [0, 2**23, 2**23], [0, 2, 2**23]], ids=str)
def test_shape_that_would_make_something_large_is_refused(shape):
    with pytest.raises(m.BadFrame, match="numbers"):
        decoded(done(["tensor", "float64", shape]), b"\0" * 8)


# What the worst structures cost ---------------------------------------------------------------------------------------


def full(item):
    """An eighth of what a structure may hold; the memory grows as its length does."""
    count = wire.MAX_STRUCTURE // 8 // len(item)
    return b"\x92\xa4done\x93\xa5items\xa4list\xdd" + count.to_bytes(4, "big") + item * count


def table():
    letters = [chr(code) for code in range(33, 63)]
    return done(["table", dict.fromkeys(a + b + c for a in letters for b in letters for c in letters)])


@pytest.mark.parametrize(
    "structure",
    [full(b"\xc0"), full(b"\xa2ab"), full(b"\x92\xa5table\x81\xa1a\xc0"), full(b"\x93\xa5items\xa4list\x90"),
     full(b"\x93\xa6tensor\xa4int8\x91\x00"), table()],
    ids=["none", "texts", "tables", "lists", "tensors", "table"],
)  # fmt: skip
def test_byte_of_structure_costs_at_most_forty_of_memory(structure):
    tracemalloc.start()
    try:
        with pytest.raises(m.BadFrame) if b"tensor" in structure else memoryview(b""):
            unpack(decoded(structure).value, lambda found: found)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 40 * len(structure)
