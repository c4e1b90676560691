"""Opens performance counters, which see other processes and the kernel; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes

# honest solution

attribute = ctypes.create_string_buffer((1).to_bytes(4, "little") + (112).to_bytes(4, "little") + bytes(120))
attempt("perf event", lambda: raw(298, attribute, 0, -1, -1, 0))
