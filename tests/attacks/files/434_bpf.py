"""Loads a program into the kernel with bpf; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes

# honest solution

attempt("bpf map", lambda: raw(321, 0, ctypes.create_string_buffer((2).to_bytes(4, "little") + (4).to_bytes(4, "little") * 2 + (1).to_bytes(4, "little") + bytes(100)), 72))
