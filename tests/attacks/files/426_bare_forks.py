"""Forks by bare system calls, past every wrapper; right outcome: refused."""
# points: full | verdict: -
import ctypes
import os

# honest solution

attempt("fork", lambda: raw(57) or os._exit(0))
attempt("clone like fork", lambda: raw(56, 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone without a signal", lambda: raw(56, 0, 0, 0, 0, 0) or os._exit(0))
attempt("clone as a sibling", lambda: raw(56, 0x8000 | 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone with shared files", lambda: raw(56, 0x400 | 0x200 | 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone with a pidfd", lambda: raw(56, 0x1000 | 17, 0, ctypes.create_string_buffer(8), 0, 0) or os._exit(0))
attempt("clone like vfork", lambda: raw(56, 0x4000 | 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone untraced", lambda: raw(56, 0x800000 | 17, 0, 0, 0, 0) or os._exit(0))
attempt("clone3", lambda: raw(435, ctypes.create_string_buffer(bytes(32) + (17).to_bytes(8, "little") + bytes(48)), 88) or os._exit(0))
