"""Opens files by a guessed handle, past every folder's rights; right outcome: killed at the first call."""
# points: none | verdict: crashed
import ctypes
import os

# honest solution

handle = ctypes.create_string_buffer((8).to_bytes(4, "little") + (1).to_bytes(4, "little") + (2).to_bytes(8, "little"))
attempt("open by handle", lambda: raw(304, os.open(".", os.O_RDONLY), handle, 0))
