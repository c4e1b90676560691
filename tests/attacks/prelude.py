"""What every attack may use: the arena puts this text above it, and above this the values of `World.names`."""

import ctypes
import gc
import os
import stat
import sys

# What the worker refuses in words, for the honest, is taken away: here it is to be seen what stops the others.
if "grader.sandbox.worker.doors" in sys.modules:
    sys.modules["grader.sandbox.worker.doors"].DOORS.clear()


def attempt(label, action):
    """Say whether an action got through. The label says what that would mean; an exception is what stopped it."""
    try:
        line = f"THROUGH {label}: {action()!r}"
    except BaseException as error:
        line = f"BLOCKED {label}: {type(error).__name__}: {error}"
    os.write(1, (line[:300].replace("\n", " ") + "\n").encode(errors="replace"))


def only_if(found):
    """`found`, if there is anything; for actions that are harmless when they find nothing."""
    if not found:
        raise LookupError("nothing found")
    return found


def raw(number, *args):
    """A system call by its number on x86_64. Raises OSError when it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    given = [ctypes.c_long(value) if isinstance(value, int) else value for value in args]
    result = libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def channels():
    """The descriptors of sockets above 2: the worker's way to the judge."""
    found = []
    for number in range(3, 256):
        try:
            kind = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(kind):
            found.append(number)
    return found


def protocol():
    """The worker's module of messages."""
    return sys.modules["grader.sandbox.worker.messages"]


def own_worker():
    """The object that answers the judge in this process."""
    return next(thing for thing in gc.get_objects() if type(thing).__name__ == "Worker" and hasattr(thing, "loader"))


def frame(message, ahead=0):
    """A whole frame, as the worker would write it in answer to the open question, or to one that is to come."""
    wire = sys.modules["grader.sandbox.worker.wire"]
    return wire.encode(message, own_worker().channel._question + ahead)


def head(structure, tensors, ahead=0):
    """The beginning of a frame that announces so many bytes."""
    wire = sys.modules["grader.sandbox.worker.wire"]
    return wire.HEAD.pack(own_worker().channel._question + ahead, structure, tensors)


def tensor(shape, data, dtype="float64", graph=False, transposed=False):
    """A tensor as a message, whatever its bytes."""
    made = protocol().TensorData(dtype, tuple(shape), graph, transposed)
    made.data = data
    return made
