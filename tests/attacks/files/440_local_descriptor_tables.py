"""Changes segment tables and port rights of the processor; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes

# honest solution

attempt("ldt", lambda: raw(154, 1, ctypes.create_string_buffer(16), 16))
attempt("port rights", lambda: raw(172, 3))
