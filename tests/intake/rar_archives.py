"""RAR 4 and RAR 5 archives with whatever a test wants in them; no program that is not free is needed to make them.

What is `packed` is packed with zlib behind a mark, for the programs that tests put in the place of real ones.
"""

import struct
import zlib
from typing import NamedTuple

MARK = b"\xffpacked\xff"


class Member(NamedTuple):
    """`name` in bytes is no Unicode; `split` is 1 for a file begun in another volume, 2 for one that goes on."""

    name: str | bytes
    data: bytes = b""
    packed: bool = False
    solid: bool = False
    mode: int = 0o100644
    locked: bool = False
    split: int = 0
    link: str = ""
    checksum: int | None = None

    def kept(self):
        return MARK + zlib.compress(self.data) if self.packed else self.data

    def sum(self):
        return zlib.crc32(self.data) if self.checksum is None else self.checksum


def rar4(*members, flags=0, before=b""):
    """`flags`: 1 a volume, 8 solid, 0x80 with a password for the names too."""
    files = b"".join(_file4(Member(*one)) for one in members)
    return b"Rar!\x1a\x07\x00" + block4(0x73, flags, bytes(6)) + before + files + block4(0x7B, 0x4000, b"")


def rar5(*members, flags=0, before=b"", locked=False):
    """`flags`: 1 a volume, 4 solid."""
    lock = block5(4, 0, _number(0) + _number(0) + b"\x0f" + bytes(16)) if locked else b""
    files = b"".join(_file5(Member(*one)) for one in members)
    return b"Rar!\x1a\x07\x01\x00" + lock + block5(1, 0, _number(flags)) + before + files + block5(5, 0, _number(0))


def block4(kind, flags, body, data=b""):
    header = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
    return struct.pack("<H", zlib.crc32(header) & 0xFFFF) + header + data


def block5(kind, flags, body, extra=b"", data=b""):
    sizes = (_number(len(extra)) if extra else b"") + (_number(len(data)) if data else b"")
    inner = _number(kind) + _number(flags | bool(extra) | 2 * bool(data)) + sizes + body + extra
    header = _number(len(inner)) + inner
    return struct.pack("<I", zlib.crc32(header)) + header + data


def comment4():
    """One that only a program could unpack."""
    body = struct.pack("<IIBIIBBHI", 9, 20, 3, 1, 0, 29, 0x33, 3, 0) + b"CMT"
    return block4(0x7A, 0x8000, body, b"\xffcomment\xff")


def comment5():
    """One that is locked, and whose key nobody has."""
    name = b"CMT"
    body = _number(4) + _number(9) + _number(0) + bytes(4) + _number(0) + _number(1) + _number(len(name)) + name
    return block5(3, 0, body, _locked5(), b"\xffcomment\xff")


def _file4(one):
    name = one.name.encode() if isinstance(one.name, str) else one.name
    folder = name.endswith(b"/")
    flags = 0x8000 | one.split | 4 * one.locked | 0x10 * one.solid | 0xE0 * folder | 0x200 * isinstance(one.name, str)
    data = one.link.encode() or one.kept()
    mode = 0o120777 if one.link else one.mode
    method = 0x33 if one.packed else 0x30
    body = struct.pack(
        "<IIBIIBBHI", len(data), len(one.data), 3, one.sum(), 0, 29, method, len(name), mode
    ) + name  # fmt: skip
    return block4(0x74, flags, body, data)


def _file5(one):
    name = one.name.encode() if isinstance(one.name, str) else one.name
    extra = _locked5() if one.locked else b""
    if one.link:
        extra += _extra(_number(5) + _number(1) + _number(0) + _number(len(one.link)) + one.link.encode())
    body = _number(4 | name.endswith(b"/")) + _number(len(one.data)) + _number(one.mode) + struct.pack("<I", one.sum())
    body += _number(0x180 * one.packed | 0x40 * one.solid) + _number(1) + _number(len(name)) + name
    return block5(2, one.split * 8, body, extra, one.kept())


def _locked5():
    return _extra(_number(1) + _number(0) + _number(0) + b"\x0f" + bytes(32))


def _extra(record):
    return _number(len(record)) + record


def _number(value):
    """Seven bits in each byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
