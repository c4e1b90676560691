"""Python values as what travels between judge and worker: plain tensors made of bytes, or words for what they are."""

import pytest
import torch

from grader.sandbox.worker import messages as m
from grader.sandbox.worker.values import DTYPES, MAX_NUMBERS, pack, pack_tensor, unpack, unpack_tensor

X = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(3, 4)


def packed(value):
    return pack(value, lambda _: None)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_tensor_of_every_dtype_round_trips(dtype):
    tensor = (X * 10).to(dtype)

    assert torch.equal(unpack_tensor(pack_tensor(tensor)), tensor)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (1, 1, 1, 1, 1, 1, 1, 1)], ids=str)
def test_tensor_of_odd_shape_round_trips(shape):
    tensor = torch.ones(shape)

    assert torch.equal(unpack_tensor(pack_tensor(tensor)), tensor)


def test_transposed_view_arrives_transposed():
    found = unpack_tensor(pack_tensor(X.T))

    assert torch.equal(found, X.T)
    assert not found.is_contiguous()


def test_not_finite_numbers_arrive_as_they_are():
    tensor = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0])

    assert pack_tensor(unpack_tensor(pack_tensor(tensor))).data == pack_tensor(tensor).data


# Values that are no plain tensors -------------------------------------------------------------------------------------


class Liar(torch.Tensor):
    """Answers everything that it is asked with a lie."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        raise AssertionError("asked")

    def __eq__(self, other):
        return True

    __hash__ = torch.Tensor.__hash__
    shape = property(lambda self: (9, 9))
    device = property(lambda self: "cpu")

    def dim(self):
        return 1

    def numel(self):
        return 10**12


class Wrapper(torch.Tensor):
    """A tensor that has a shape and no memory, and stands in for another one."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        raise RuntimeError("nothing is done here")


class Pretender:
    """Says that it is a tensor."""

    __class__ = torch.Tensor


def inside(transform):
    """What a function sees of its argument while it is transformed."""
    seen = []
    transform(lambda t: seen.append(t) or t.sum())(torch.ones(2))
    return seen[-1]


class Fake(torch.Tensor):
    """Made like torch's FakeTensor, whose import takes seconds: says that it lies on the CPU, and lies nowhere."""

    @staticmethod
    def __new__(cls):
        meta, cpu = torch.ones(3, device="meta"), torch.device("cpu")
        return torch.Tensor._make_subclass(cls, meta, False, dispatch_device=True, device_for_backend_keys=cpu)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return torch.device("cpu") if "device" in str(function) else args[0]


def without_memory():
    tensor = torch.ones(4)
    tensor.untyped_storage().resize_(0)
    return tensor


@pytest.mark.parametrize(
    "tensor",
    [X.as_subclass(Liar), torch.nn.Parameter(X), X[None].expand(1, 3, 4)[0], torch.complex(X, -X).conj().imag,
     torch.cat([X, X], 1)[:, :4]],
    ids=["liar", "parameter", "expanded", "negative", "strided"],
)  # fmt: skip
def test_what_lies_beneath_arrives_as_a_plain_tensor(tensor):
    found = unpack_tensor(pack_tensor(tensor))

    assert type(found) is torch.Tensor
    assert torch.equal(found, X)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: torch.zeros(2, dtype=torch.complex128), "tensor of the number type complex128"),
        (lambda: torch.zeros(2, dtype=torch.uint16), "tensor of the number type uint16"),
        (lambda: torch.quantize_per_tensor(torch.zeros(2), 0.1, 0, torch.qint8), "quantised tensor"),
        (lambda: torch.zeros(2).to_sparse(), "sparse tensor"),
        (lambda: torch.eye(2).to_sparse_csr(), "sparse tensor"),
        (lambda: torch.zeros(2, 2).to_mkldnn(), "tensor with the layout torch._mkldnn"),
        (lambda: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]), "nested tensor"),
        (lambda: torch.zeros(2, device="meta"), "tensor on the device meta"),
        (Fake, "tensor that holds no numbers"),
        (lambda: inside(lambda f: torch.func.vmap(f, in_dims=0)), "tensor that holds no numbers"),
        (lambda: Wrapper(X), "tensor that holds no numbers"),
        (without_memory, "tensor that holds no numbers"),
        (lambda: torch.zeros([1] * 9), "tensor with 9 axes"),
        (lambda: torch.zeros(1).expand(10**12), "tensor of 1,000,000,000,000 numbers"),
        (lambda: torch.zeros(MAX_NUMBERS + 1, dtype=torch.int8), "tensor of 4,194,305 numbers"),
        (lambda: torch.zeros(0, 2**40), "tensor with an axis of 1,099,511,627,776"),
    ],
    ids=["complex", "uint16", "quantised", "sparse", "csr", "mkldnn", "nested", "meta", "fake", "vmapped", "wrapper",
         "without_memory", "axes", "expanded", "many", "empty"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")  # of torch, about what is new or old
def test_tensor_that_cannot_travel_is_named(make, words):
    assert packed(make()) == m.Opaque(words, "")


@pytest.mark.parametrize(
    ("value", "words"),
    [(10**30, "number"), (torch.Tensor, "class"), (object(), "object"), (Pretender(), "Pretender"), (1j, "complex"),
     (b"bytes", "bytes"), ({1: 2}, "dict"), (iter(()), "tuple_iterator"), ((n for n in ()), "generator")],
    ids=["number", "class", "object", "pretender", "complex", "bytes", "dict", "iterator", "generator"],
)  # fmt: skip
def test_value_that_cannot_travel_is_named(value, words):
    assert packed(value) == m.Opaque(words, "")


@pytest.mark.parametrize("value", [2**64 - 1, -(2**63), 0, True, None, -0.5, float("inf")], ids=str)
def test_plain_value_travels_as_itself(value):
    assert packed(value) is value


def test_text_that_utf_8_cannot_express_travels_spelled_out():
    found = packed(["\ud800", {"\udfff": 1}])

    assert found.items == ["\\ud800", m.Table({"\\udfff": 1})]


def test_nesting_without_end_is_cut():
    loop = []
    loop.append(loop)

    found, depth = unpack(packed(loop), lambda value: value), 0
    while isinstance(found, list):
        found, depth = found[0], depth + 1

    assert (depth, found) == (20, m.Opaque("list", ""))


def test_value_that_nests_deeper_than_any_is_packed_is_refused():
    value = None
    for _ in range(30):
        value = m.Items("list", [value])

    with pytest.raises(m.BadFrame):
        unpack(value, lambda found: found)


def test_bool_byte_of_two_is_refused():
    found = m.TensorData("bool", (3,))
    found.data = b"\0\1\2"

    with pytest.raises(m.BadFrame):
        unpack_tensor(found)


def test_one_axis_cannot_be_turned():
    found = m.TensorData("int8", (3,), transposed=True)
    found.data = b"abc"

    assert unpack_tensor(found).tolist() == [97, 98, 99]
