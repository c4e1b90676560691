"""Messages as frames and back, the same at both ends. A frame is a head, a structure, and the bytes of its tensors."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from . import messages as m

HEAD = struct.Struct("<III")  # the number of the question; bytes of the structure; bytes of the tensors
MAX_STRUCTURE = 1 << 20  # bytes of a reply's structure: each can cost the judge 40 bytes of memory
MAX_DATA = 8 * m.MAX_NUMBERS  # bytes of a reply's tensors

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[str, msgspec.msgpack.Decoder[Any]] = {
    "request": msgspec.msgpack.Decoder(m.Request),
    "reply": msgspec.msgpack.Decoder(m.Reply),
    "answer": msgspec.msgpack.Decoder(m.Answer | m.Refuse),
}


def encode(message: m.Frame, question: int) -> bytes:
    """A whole frame.

    Raises:
        BadFrame: it has more tensors, or more numbers in them, than a frame may.
    """
    structure = _encoder.encode(message)
    data = [tensor.data for tensor in tensors_in(message)]
    return b"".join((HEAD.pack(question, len(structure), sum(map(len, data))), structure, *data))


def announced(head: bytes, question: int) -> tuple[int, int]:
    """How many bytes of structure and of tensors follow the head of a reply.

    Raises:
        BadFrame: it answers another question, or announces more than a reply may hold.
    """
    number, structure, tensors = HEAD.unpack(head)
    if number != question:
        raise m.BadFrame(f"an answer to question {number} instead of {question}")
    if structure > MAX_STRUCTURE or tensors > MAX_DATA:
        raise m.BadFrame(f"{(structure + tensors) / 2**20:.0f} MiB of data")
    return structure, tensors


def decode(kind: Literal["request", "reply", "answer"], body: bytes, structure: int) -> Any:
    """The message in a frame's body, whose first bytes, `structure` in number, are its structure.

    Each tensor takes its bytes from those behind, in order.

    Raises:
        BadFrame: it is not MessagePack, not one of the messages of that kind, it has more tensors, or more numbers in
            them, than a frame may, or their bytes are not those that follow.
    """
    try:
        message = _decoders[kind].decode(memoryview(body)[:structure])
        tensors = tensors_in(message)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise m.BadFrame(f"{type(error).__name__}: {error}") from None
    at = structure
    for tensor in tensors:
        end = at + tensor.size
        tensor.data, at = body[at:end], end
    if at != len(body):
        raise m.BadFrame(f"{len(body) - structure} bytes for tensors of {at - structure}")
    return message


def tensors_in(message: m.Frame) -> list[m.TensorData]:
    """Every tensor of a message, in the order in which its structure names them.

    Raises:
        BadFrame: there are more of them than a frame may hold, or they hold more numbers.
    """
    found: list[m.TensorData] = []
    _collect(msgspec.structs.astuple(message), found)
    if len(found) > m.MAX_TENSORS:
        raise m.BadFrame(f"{len(found):,} tensors")
    if found and (numbers := sum([tensor.numbers for tensor in found])) > m.MAX_NUMBERS:
        raise m.BadFrame(f"{numbers:,} numbers")
    return found


def _collect(parts: Iterable[Any], found: list[m.TensorData]) -> None:
    for part in parts:
        if type(part) in m.PLAIN:
            continue
        if isinstance(part, m.TensorData):
            found.append(part)
        elif isinstance(part, m.Frame):
            _collect(msgspec.structs.astuple(part), found)
        else:
            _collect(part.values() if isinstance(part, dict) else part, found)
