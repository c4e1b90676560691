"""A worker's memory holds nothing of the checks: a student's file searches all of it while a hidden check runs.

The file holds the canary only in parts, and compares part by part, so that it never builds what it looks for. A
control, put together in its own memory, proves that the search finds what is there.
"""

import re
import secrets
import shutil

import pytest

from grader.model.course import load_course
from grader.pipeline import JUDGE
from grader.sandbox.launch import ForkLauncher

CHECK = '''

@check(points=1, concept="none")
def check_holds_a_canary(student: Student, draw: Draw) -> None:
    """It holds a canary."""
    canary = "{canary}"
    output = student.ResidualAdd(8, Probe(draw.map(8)), 0.0)(draw.input(3, 7, 8))
    if output.shape != (3, 7, 8):
        fail("Another shape.", expected="The same shape.", staff_note=canary)
'''
SOURCE = """\
import ctypes
import gc
import sys

CANARY, CONTROL = {canary!r}, {control!r}
CONTROL_IN_MEMORY = b"".join(CONTROL)
CHUNK, OVERLAP = 1 << 22, 64


def count(data):
    return count_one(data, CANARY), count_one(data, CONTROL)


def count_one(data, parts):
    found, at = 0, data.find(parts[0])
    while at >= 0:
        end = at
        for part in parts:
            if data[end : end + len(part)] != part:
                break
            end += len(part)
        else:
            found += 1
        at = data.find(parts[0], at + 1)
    return found


def regions():
    with open("/proc/self/maps") as maps:
        for line in maps:
            addresses, rights, *rest = line.split()
            if rights[0] == "r" and not rest[-1].startswith(("[vvar", "[vsyscall", "/dev")):
                start, _, end = addresses.partition("-")
                yield int(start, 16), int(end, 16)


def read(start, size):
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(start)
            return memory.read(size)
    except OSError:
        return ctypes.string_at(start, size)  # a process that is not dumpable may not open its own memory


def search_memory():
    found, searched = [0, 0], 0
    for start, end in list(regions()):
        for at in range(start, end, CHUNK):
            data = read(at, min(CHUNK + OVERLAP, end - at))
            searched += len(data)
            found = [a + b for a, b in zip(found, count(data))]
    return searched, found


def search_objects():
    known = [gc.get_objects(), list(sys.modules.values()), list(sys._current_frames().values())]
    frames = [frame.f_locals for frame in known[2]]
    found, seen, stack = [0, 0], set(), [*known[0], *known[1], *frames]
    while stack:
        thing = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if type(thing) in (str, bytes):
            data = thing if type(thing) is bytes else thing.encode("utf-8", "replace")
            found = [a + b for a, b in zip(found, count(data))]
        elif type(thing) in (list, tuple, dict, set, frozenset) or hasattr(thing, "__dict__"):
            stack += gc.get_referents(thing)
    return len(seen), found


def search(where):
    searched, (canary, control) = search_memory()
    print(f"{{where}} memory bytes={{searched}} canary={{canary}} control={{control}}")
    objects, (canary, control) = search_objects()
    print(f"{{where}} objects count={{objects}} canary={{canary}} control={{control}}")


search("loading")
"""
HIDDEN = "residual_add.holds_a_canary"


def parts(text: str) -> list[bytes]:
    return [text[at : at + 8].encode() for at in range(0, len(text), 8)]


@pytest.fixture(scope="module")
def canary() -> str:
    return f"canary-{secrets.token_hex(12)}"


@pytest.fixture(scope="module")
def course(solutions, canary, tmp_path_factory):
    root = tmp_path_factory.mktemp("canary") / "solutions"
    shutil.copytree(solutions, root)
    with (root / "residual_add" / "checks.py").open("a") as file:
        file.write(CHECK.format(canary=canary))
    return load_course(root)


@pytest.fixture(scope="module")
def line():
    """A judge whose workers may read /proc, to search themselves; what they hold does not depend on that."""
    with ForkLauncher(("namespaces", "landlock")) as started, started.judge(JUDGE) as opened:
        yield opened


@pytest.fixture(scope="module")
def record(grade, course, canary, forward):
    control = f"control-{secrets.token_hex(12)}"
    start = SOURCE.format(canary=parts(canary), control=parts(control))
    block = forward(
        "if x.shape == (3, 7, 8):",
        '    search("checking")',
        "return x + self.drop(self.sublayer(self.norm(x), **kwargs))",
    )
    return grade(start + block, course=course, load_seconds=60, check_seconds=60, again_seconds=60)


@pytest.fixture(params=["loading memory", "loading objects", "checking memory", "checking objects"])
def found(request, record):
    """What one search printed, as numbers by name."""
    printed = record.exercises[0].printed.head + record.staff["printed"][HIDDEN]
    line = next(line for line in printed.splitlines() if line.startswith(request.param))
    return {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", line)}


def test_canary_is_found_nowhere(found):
    assert found["canary"] == 0


def test_search_finds_what_is_there(found):
    assert found["control"] >= 1


def test_search_covered_the_process(found):
    assert found.get("bytes", 1 << 40) > 50 << 20
    assert found.get("count", 1 << 40) > 10_000


def test_searching_costs_nothing(record):
    assert [
        (check.name, check.happened) for check in record.exercises[0].checks if check.points < check.max_points
    ] == []


def test_canary_is_in_nothing_that_a_student_reads(record, canary, shown):
    assert all(canary not in output for output in shown(record))
