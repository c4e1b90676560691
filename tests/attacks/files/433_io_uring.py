"""Sets up io_uring, which does system calls past a filter; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes

# honest solution

attempt("io_uring", lambda: raw(425, 8, ctypes.create_string_buffer(200)))
