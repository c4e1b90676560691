"""A machine for classic BPF programs, as far as filters on system calls use them (seccomp(2), Linux' filter.rst).

It runs the filter of any kind of processor on this one, and is as strict as the kernel: what it would refuse to load
or would not understand raises.
"""

import struct
from typing import NamedTuple

LOAD, AND, RETURN = 0x20, 0x54, 0x06
JUMPS = {0x15: lambda a, k: a == k, 0x25: lambda a, k: a > k, 0x35: lambda a, k: a >= k, 0x45: lambda a, k: a & k != 0}
INSTRUCTION = struct.Struct("<HBBI")
CALL = struct.Struct("<IIQ6Q")  # struct seccomp_data: number, architecture, where it was called from, arguments
MOST_INSTRUCTIONS = 4096
WHOLE = (1 << 64) - 1


class Instruction(NamedTuple):
    """One instruction; jumps are relative to the next one."""

    operation: int
    if_true: int
    if_false: int
    value: int


def load(code: bytes) -> list[Instruction]:
    """The instructions of a program. Raises ValueError for one that the kernel would not take."""
    program = [Instruction(*fields) for fields in INSTRUCTION.iter_unpack(code)]
    if not 0 < len(program) <= MOST_INSTRUCTIONS:
        raise ValueError(f"{len(program)} instructions")
    if program[-1].operation != RETURN:
        raise ValueError("the last instruction does not return")
    for at, (operation, if_true, if_false, value) in enumerate(program):
        if operation == LOAD and (value % 4 or value >= CALL.size):
            raise ValueError(f"instruction {at} loads from {value}")
        if operation in JUMPS and at + 1 + max(if_true, if_false) >= len(program):
            raise ValueError(f"instruction {at} jumps out of the program")
        if operation not in (LOAD, AND, RETURN, *JUMPS):
            raise ValueError(f"instruction {at} is none of a filter: {operation:#x}")
    return program


def run(program: list[Instruction], architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the program returns for a call."""
    filled = [argument & WHOLE for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = CALL.pack(number & 0xFFFFFFFF, architecture, 0, *filled)
    accumulator = at = 0
    while True:
        operation, if_true, if_false, value = program[at]
        at += 1
        if operation == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == AND:
            accumulator &= value
        elif operation == RETURN:
            return value
        else:
            at += if_true if JUMPS[operation](accumulator, value) else if_false
