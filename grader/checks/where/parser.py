"""Parses what students wrote, in a process of its own: `python -I -S -B parser.py KEPT_MIB`, asked by `syntax`.

    request   number of sources, then each one: its length, its UTF-8
    answer    length, then msgpack:  [{"_": ["Module", 0, 0], "body": […], …}, nil, …]
              nil: no Python, or more than is looked at; each node as its fields, with type, first and last line in "_"

Numbers of the frame have four bytes, the highest first. Only modules are imported that are part of the interpreter, and
msgpack is written by hand: `ast` and `json` would make up more than half of the time that a process takes to start.
"""

import _ast
import struct
import sys

MEMORY_MIB = 512
MOST_NODES = 20_000
MOST_DEPTH = 60
MOST_TEXT = 200


def main() -> None:
    """Answer one request after the other; the last one is that which leaves more than KEPT_MIB in use."""
    _bound_memory(MEMORY_MIB << 20)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while count := asked.read(4):
        sources = [asked.read(_number(asked.read(4))) for _ in range(_number(count))]
        answer = _head(0xDD, len(sources)) + b"".join(parsed(source) for source in sources)
        told.write(len(answer).to_bytes(4, "big") + answer)
        told.flush()
        if _size() > int(sys.argv[1]) << 20:
            return


def parsed(source: bytes) -> bytes:
    """The tree of a source, as msgpack."""
    try:
        text = source.decode("utf-8", "surrogatepass")
        tree = compile(text, "<source>", "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
        return _packed(tree, 0, [MOST_NODES])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return b"\xc0"


def _packed(value: object, depth: int, left: list[int]) -> bytes:
    """Raises for too deep, and for more nodes than are `left`."""
    if isinstance(value, list):
        return _head(0xDD, len(value)) + b"".join([_packed(item, depth, left) for item in value])
    if not isinstance(value, _ast.AST):
        return _constant(value)
    left[0] -= 1
    if depth > MOST_DEPTH or left[0] < 0:
        raise RecursionError
    fields = [(name, getattr(value, name)) for name in value._fields if hasattr(value, name)]
    parts = [_text(name) + _packed(item, depth + 1, left) for name, item in fields]
    lines = _whole(getattr(value, "lineno", 0)), _whole(getattr(value, "end_lineno", 0))
    place = _text("_") + b"\x93" + _text(type(value).__name__) + b"".join(lines)
    return _head(0xDF, len(parts) + 1) + b"".join(parts) + place


def _constant(value: object) -> bytes:
    """Text is cut; numbers of more than 53 bits or none at all, and other constants, become nil."""
    if isinstance(value, str):
        return _text(value[:MOST_TEXT])
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int) and abs(value) < 1 << 53:
        return _whole(value)
    return b"\xcb" + struct.pack(">d", value) if isinstance(value, float) and value - value == 0 else b"\xc0"


def _text(value: str) -> bytes:
    data = value.encode("utf-8", "replace")
    return _head(0xDB, len(data)) + data


def _whole(value: int) -> bytes:
    return b"\xd3" + value.to_bytes(8, "big", signed=True)


def _head(kind: int, size: int) -> bytes:
    return bytes((kind,)) + size.to_bytes(4, "big")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _size() -> int:
    """Bytes of memory in use, 0 where the system does not tell."""
    import os  # the interpreter has it already

    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _bound_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
