"""Lowers the priority, pins the processor and tightens the limits of others; right outcome: refused."""
# points: full | verdict: -
import ctypes
import os
import resource

# honest solution

attribute = ctypes.create_string_buffer((48).to_bytes(4, "little") + (5).to_bytes(4, "little") + bytes(40))
for other in {NEIGHBOUR, os.getppid() or NEIGHBOUR}:
    attempt("setpriority", lambda: os.setpriority(os.PRIO_PROCESS, other, 10))
    attempt("sched_setaffinity", lambda: os.sched_setaffinity(other, {0}))
    attempt("sched_setscheduler", lambda: os.sched_setscheduler(other, os.SCHED_IDLE, os.sched_param(0)))
    attempt("sched_setparam", lambda: raw(142, other, ctypes.create_string_buffer(4)))
    attempt("sched_setattr", lambda: raw(314, other, attribute, 0))
    attempt("ioprio_set", lambda: raw(251, 1, other, 3 << 13))
    attempt("prlimit", lambda: resource.prlimit(other, resource.RLIMIT_NOFILE, (1000, 1000)))
    attempt("read limits", lambda: resource.prlimit(other, resource.RLIMIT_NOFILE))
    attempt("migrate pages", lambda: raw(256, other, 8, ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)))
    attempt("move pages", lambda: raw(279, other, 0, None, None, None, 0))
    attempt("join its group", lambda: os.setpgid(0, other))
attempt("setpriority of a group", lambda: os.setpriority(os.PRIO_PGRP, NEIGHBOUR, 10))
