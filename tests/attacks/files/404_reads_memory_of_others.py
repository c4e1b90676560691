"""Reads another process's memory with process_vm_readv; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes
import os

# honest solution

secret = bytes(64)
there, here = (ctypes.c_void_p * 2)(id(secret), 64), ctypes.create_string_buffer(64)
local = (ctypes.c_void_p * 2)(ctypes.addressof(here), 64)
for pid in (os.getppid() or 1, NEIGHBOUR):
    attempt("read memory of another", lambda: raw(310, pid, ctypes.byref(local), 1, ctypes.byref(there), 1, 0))
