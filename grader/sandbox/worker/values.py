"""Python values as what can travel, and back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Literal, TypeGuard

import torch

from . import messages as m

DTYPES: dict[m.Dtype, torch.dtype] = {name: getattr(torch, name) for name in m.ITEM_BYTES}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
MAX_NUMBERS = m.MAX_NUMBERS // 2  # in one tensor: a reply may hold a result and what was given
MAX_DEPTH = 20

# ---------------------------------------------------------------- tensors


def is_tensor(value: object) -> TypeGuard[torch.Tensor]:
    """Whether it is one by its type; `isinstance` would ask the object, too."""
    return issubclass(type(value), torch.Tensor)


def pack_tensor(tensor: torch.Tensor) -> m.TensorData:
    """A CPU tensor of a plain dtype as bytes; of a subclass, what lies beneath.

    Raises:
        BadFrame: the tensor cannot travel; the text is what it is ("tensor with 20 axes").
    """
    with torch._C.DisableTorchFunctionSubclass():
        try:
            plain = torch.Tensor.detach(tensor)
            if words := _hindrance(plain):
                raise m.BadFrame(words)
            transposed = plain.dim() > 1 and not plain.is_contiguous()
            plain = plain.resolve_neg().contiguous()
            address = plain.data_ptr()
        except RuntimeError:  # the tensor exists inside of torch.func only
            raise m.BadFrame("tensor that holds no numbers") from None
        if plain.nbytes and not address:
            raise m.BadFrame("tensor that holds no numbers")
        packed = m.TensorData(NAMES[plain.dtype], tuple(plain.shape), bool(tensor.requires_grad), transposed)
        packed.data = ctypes.string_at(address, plain.nbytes)
        return packed


def _hindrance(tensor: torch.Tensor) -> str:
    """What keeps a tensor from travelling, in words; nothing for an ordinary one."""
    if tensor.is_nested:
        return "nested tensor"
    if tensor.device.type != "cpu":
        return f"tensor on the device {tensor.device.type}"
    if tensor.layout is not torch.strided:
        return "sparse tensor" if "sparse" in str(tensor.layout) else f"tensor with the layout {tensor.layout}"
    if tensor.dtype not in NAMES:
        name = str(tensor.dtype).removeprefix("torch.")
        return "quantised tensor" if tensor.is_quantized else f"tensor of the number type {name}"
    if tensor.dim() > m.MAX_DIMENSIONS:
        return f"tensor with {tensor.dim()} axes"
    if tensor.numel() > MAX_NUMBERS:
        return f"tensor of {tensor.numel():,} numbers"
    longest = max(tensor.shape, default=0)
    return f"tensor with an axis of {longest:,}" if longest > MAX_NUMBERS else ""


def unpack_tensor(data: m.TensorData) -> torch.Tensor:
    """A fresh plain tensor made from the bytes (leaf, no gradient asked for).

    Raises:
        BadFrame: a bool byte is neither 0 nor 1.
    """
    if data.dtype == "bool" and data.data.strip(b"\0\1"):
        raise m.BadFrame("a bool tensor holds bytes other than 0 and 1")
    tensor = torch.empty(data.shape, dtype=DTYPES[data.dtype])
    ctypes.memmove(tensor.data_ptr(), data.data, len(data.data))
    turned = data.transposed and tensor.dim() > 1
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2) if turned else tensor


# ---------------------------------------------------------------- values


def pack(value: object, reference: Callable[[object], m.Value | None], depth: int = MAX_DEPTH) -> m.Value:
    """A Python value as messages; `reference` names objects that have one of their own, or returns None."""
    if (known := reference(value)) is not None:
        return known
    if value is None or type(value) in (bool, float) or (type(value) is int and -(2**63) <= value < 2**64):
        return value  # type: ignore[return-value]  # narrowed by `type(…) in`, which mypy does not follow
    if type(value) is str:
        return readable(value)
    if is_tensor(value):
        try:
            return pack_tensor(value)
        except m.BadFrame as error:
            return m.Opaque(str(error), "")
    if depth and type(value) in (list, tuple):
        kind: Literal["list", "tuple"] = "list" if type(value) is list else "tuple"
        return m.Items(kind, [pack(item, reference, depth - 1) for item in value])  # type: ignore[attr-defined]
    if depth and type(value) is dict and all(type(key) is str for key in value):
        return m.Table({readable(key): pack(item, reference, depth - 1) for key, item in value.items()})
    return m.Opaque(_kind(value), "")


def _kind(value: object) -> str:
    if type(value) is int:
        return "number"
    return "class" if issubclass(type(value), type) else readable(type(value).__name__, 80)


def readable(text: str, most: int | None = None) -> str:
    """At most so many characters of the text, with what UTF-8 cannot express (lone surrogates) spelled out."""
    return text[:most].encode("utf-8", "backslashreplace").decode()[:most]


def unpack(value: m.Value, resolve: Callable[[m.Value], object], depth: int = MAX_DEPTH) -> Any:
    """The Python value of messages; `resolve` turns tensors, references, probes and opaque things into objects.

    Raises:
        BadFrame: values nest deeper than `pack` makes them.
    """
    if type(value) in m.PLAIN:
        return value
    if depth < 0:
        raise m.BadFrame("values nest too deeply")
    if isinstance(value, m.Items):
        made = [unpack(item, resolve, depth - 1) for item in value.items]
        return made if value.kind == "list" else tuple(made)
    if isinstance(value, m.Table):
        return {key: unpack(item, resolve, depth - 1) for key, item in value.items.items()}
    return resolve(value)
