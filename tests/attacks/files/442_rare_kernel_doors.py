"""Calls what no training needs: notifications, filters, timers, hosts, time, landlock, scheduling; right outcome: refused."""
# points: full | verdict: -
import ctypes

# honest solution

space = ctypes.create_string_buffer(4096)
for name, number, *arguments in (
    ("own filter with a listener", 317, 1, 8, space), ("own rules", 444, space, 8, 0), ("timer descriptor", 283, 1, 0),
    ("signal descriptor", 289, -1, ctypes.create_string_buffer(b"\xff" * 8), 8, 0), ("file events", 294, 0),
    ("vmsplice", 278, 1, space, 0, 0), ("tee", 276, 1, 1, 0, 0), ("splice", 275, 0, None, 1, None, 0, 0),
    ("remap pages", 216, space, 0, 0, 0, 0), ("memory policy", 238, 0, space, 64), ("read ahead", 187, 0, 0, 10),
    ("syslog", 103, 3, space, 100), ("time of the machine", 227, 0, ctypes.create_string_buffer(b"\xff" * 16)),
    ("cookie of folders", 212, 0, space, 10),
    ("asynchronous files", 206, 1, ctypes.create_string_buffer(8)), ("protection keys", 330, 0, 0), ("shadow stack", 453, 0, 4096, 0),
    ("seal memory", 462, 0, 0, 0), ("list mounts", 458, space, space, 10, 0), ("read a mount", 457, space, space, 100, 0),
    ("release memory", 448, -1, 0), ("cache statistics", 451, 0, space, space, 0), ("modules of security", 461, space, space, 0),
):  # fmt: skip
    attempt(f"door open: {name}", lambda: raw(number, *arguments))
