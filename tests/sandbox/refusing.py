"""Runs a command on a kernel that seems to lack something: chosen system calls end with an error, for good.

    python refusing.py unshare=EPERM landlock_create_ruleset=ENOSYS -- COMMAND …

A call is named as in `grader.sandbox.confine.syscalls`, or by its number. `clone` is refused for new namespaces only.
`mounts` refuses changes of mounts by other means, as AppArmor does after it has allowed a new namespace.
"""

import ctypes
import errno
import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from grader.sandbox.confine import kernel, privileges, seccomp
from grader.sandbox.confine.syscalls import number

NEW_NAMESPACES = 0x7E020000
MAKE_BLOCK = 1 << 11  # a right that nobody will miss


def program(refused: dict[int, int]) -> bytes:
    """A filter that answers these calls with these errors."""
    code = [(seccomp.LOAD, 0, 0, seccomp.NUMBER)]
    for call, error in refused.items():
        answer = (seccomp.RETURN, 0, 0, seccomp.REFUSED | error)
        if call == number("clone"):
            flags = (seccomp.LOAD, 0, 0, seccomp.ARGUMENTS)
            code += [(seccomp.EQUAL, 0, 3, call), flags, (seccomp.ANY_BIT, 0, 1, NEW_NAMESPACES), answer]
            code += [(seccomp.LOAD, 0, 0, seccomp.NUMBER)]
        else:
            code += [(seccomp.EQUAL, 0, 1, call), answer]
    code.append((seccomp.RETURN, 0, 0, seccomp.ALLOWED))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def refuse_mounts() -> None:
    """In a Landlock domain nobody changes mounts, whatever else is allowed there."""
    attributes = struct.pack("Q", MAKE_BLOCK)
    ruleset = kernel.call("landlock_create_ruleset", ctypes.c_char_p(attributes), len(attributes), 0)
    kernel.call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def main(refusals: list[str], command: list[str]) -> None:
    """Be the command."""
    privileges.no_new_privileges()
    if "mounts" in refusals:
        refusals.remove("mounts")
        refuse_mounts()
    refused = {}
    for name, _, error in (refusal.partition("=") for refusal in refusals):
        refused[int(name) if name.isdigit() else number(name)] = getattr(errno, error)
    seccomp.install(program(refused))
    os.execvp(command[0], command)


if __name__ == "__main__":
    at = sys.argv.index("--")
    main(sys.argv[1:at], sys.argv[at + 1 :])
