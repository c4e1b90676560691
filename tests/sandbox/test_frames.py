"""What travels between judge and worker, and what is refused."""

import math

import msgspec
import pytest
import torch

from grader.sandbox.worker import messages as m

X = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(3, 4)
TENSOR = m.pack_tensor(X)
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
    m.Raised("ValueError", "words", [m.Place("a.py", 2, 3, "forward", "return x")], True),
    m.ProbeCall(0, list(VALUES), {"mask": TENSOR}),
    m.ProbeBackward(1, TENSOR),
]
ANSWERS = [m.Answer(TENSOR, 3), m.Refuse("no")]


def name(frame):
    return type(frame).__name__


def body(frame):
    return m.encode(frame)[m.HEAD.size :]


def tampered(**changes):
    return body(m.Done(msgspec.structs.replace(TENSOR, **changes)))


@pytest.mark.parametrize(
    ("kind", "frame"),
    [*(("request", r) for r in REQUESTS), *(("reply", r) for r in REPLIES), *(("answer", a) for a in ANSWERS)],
    ids=name,
)
def test_frame_round_trips(kind, frame):
    assert m.decode(kind, body(frame)) == frame


def test_frame_starts_with_the_length_of_its_body():
    frame = m.encode(m.State())

    assert m.HEAD.unpack(frame[: m.HEAD.size]) == (len(frame) - m.HEAD.size,)


@pytest.mark.parametrize("dtype", m.DTYPES.values(), ids=m.DTYPES)
def test_tensor_of_every_dtype_round_trips(dtype):
    tensor = (X * 10).to(dtype)

    assert torch.equal(m.unpack_tensor(m.pack_tensor(tensor)), tensor)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (1, 1, 1, 1, 1, 1, 1, 1)], ids=str)
def test_tensor_of_odd_shape_round_trips(shape):
    tensor = torch.ones(shape)

    assert torch.equal(m.unpack_tensor(m.pack_tensor(tensor)), tensor)


def test_transposed_view_arrives_transposed():
    found = m.unpack_tensor(m.pack_tensor(X.T))

    assert torch.equal(found, X.T)
    assert not found.is_contiguous()


def test_not_finite_numbers_arrive_as_they_are():
    tensor = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0])

    assert m.pack_tensor(m.unpack_tensor(m.pack_tensor(tensor))).data == m.pack_tensor(tensor).data


def test_subclass_of_tensor_arrives_as_a_plain_one():
    class Liar(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            raise AssertionError("asked")

    found = m.unpack_tensor(m.pack_tensor(X.as_subclass(Liar)))

    assert type(found) is torch.Tensor
    assert torch.equal(found, X)


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (torch.zeros(2, dtype=torch.complex128), "tensor of the number type complex128"),
        (torch.zeros(2).to_sparse(), "sparse tensor"),
        (torch.zeros(2, device="meta"), "tensor on the device meta"),
        (torch.zeros([1] * 9), "tensor with 9 axes"),
        (torch.zeros(1).expand(10**12), "tensor of 1,000,000,000,000 numbers"),
    ],
    ids=["complex", "sparse", "meta", "axes", "size"],
)
def test_tensor_that_cannot_travel_is_named(tensor, words):
    assert m.pack(tensor, lambda _: None) == m.Opaque(words, "")


def test_values_that_cannot_travel_are_named():
    found = m.pack([10**30, torch.Tensor, object()], lambda _: None)

    assert [item.type for item in found.items] == ["number", "class", "object"]


def test_text_that_utf_8_cannot_express_travels_spelled_out():
    assert m.decode("reply", body(m.Done(m.pack("\ud800", lambda _: None)))).value == "\\ud800"


def test_nesting_without_end_is_cut():
    loop = []
    loop.append(loop)

    packed = m.pack(loop, lambda _: None)

    assert m.decode("reply", body(m.Done(packed))).value == packed


# Refused --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"", b"\xc1", b"\xff" * 100, body(m.State())[:-1] + b"\x00\x00", msgspec.msgpack.encode("done")],
    ids=["nothing", "no_messagepack", "noise", "trailing", "text"],
)
def test_bytes_that_are_no_frame_are_refused(data):
    with pytest.raises(m.BadFrame):
        m.decode("reply", data)


@pytest.mark.parametrize(
    "message",
    [
        ["unknown", None],
        ["done"],
        ["done", None, [], 0, "more"],
        ["done", None, [], -1],
        ["done", ["object", -1], [], 0],
        ["done", ["tensor", "float64", [2, -1], b"", False, False], [], 0],
        ["done", ["tensor", "float64", [2**41], b"", False, False], [], 0],
        ["done", ["tensor", "float64", [1] * 9, b"\0" * 8, False, False], [], 0],
        ["done", ["tensor", "complex64", [1], b"\0" * 8, False, False], [], 0],
        ["done", ["opaque", "x" * 401, ""], [], 0],
        ["raised", "Error", "x" * 10_000, [], False],
        ["raised", "Error", "", [["place", "a", None, 1, "f", "c"]] * 51, False],
        ["begin", 1, "float64"],
    ],
    ids=["unknown", "short", "long", "call", "handle", "negative", "huge", "axes", "dtype", "name", "text", "places",
         "request"],
)  # fmt: skip
def test_message_outside_the_protocol_is_refused(message):
    with pytest.raises(m.BadFrame):
        m.decode("reply", msgspec.msgpack.encode(message))


def test_frame_that_nests_without_end_is_refused():
    with pytest.raises(m.BadFrame):
        m.decode("reply", b"\x94\xa4done" + b"\x93\xa5items\xa4list\x91" * 100_000)


def test_value_that_nests_deeper_than_any_is_packed_is_refused():
    value = None
    for _ in range(30):
        value = m.Items("list", [value])

    with pytest.raises(m.BadFrame):
        m.unpack(value, lambda found: found)


@pytest.mark.parametrize("data", [b"", TENSOR.data[:-1], TENSOR.data + b"\0", TENSOR.data * 2], ids=len)
def test_wrong_byte_count_is_refused(data):
    found = m.decode("reply", tampered(data=data)).value

    with pytest.raises(m.BadFrame):
        m.unpack_tensor(found)


def test_bool_byte_of_two_is_refused():
    found = m.TensorData("bool", (3,), b"\0\1\2")

    with pytest.raises(m.BadFrame):
        m.unpack_tensor(found)


def test_empty_shape_with_impossible_strides_is_refused():
    found = m.TensorData("float64", (0, 2**40, 2**40), b"")

    with pytest.raises(m.BadFrame):
        m.unpack_tensor(found)


def test_shape_larger_than_its_bytes_allocates_nothing():
    shape = (2**40, 2**40)

    with pytest.raises(m.BadFrame, match="do not fit"):
        m.unpack_tensor(m.TensorData("float64", shape, b"\0" * 8))

    assert math.prod(shape) > 2**63
