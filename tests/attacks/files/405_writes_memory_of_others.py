"""Writes into another process's memory with process_vm_writev; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes
import os

# honest solution

same = ctypes.create_string_buffer(64)
span = (ctypes.c_void_p * 2)(ctypes.addressof(same), 0)
for pid in (os.getppid() or 1, NEIGHBOUR):
    attempt("write memory of another", lambda: raw(311, pid, ctypes.byref(span), 1, ctypes.byref(span), 1, 0))
