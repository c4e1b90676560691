"""Writes into the interpreter's own objects and calls its exits; right outcome: only this worker is hurt."""
# points: any | verdict: any
import ctypes

# honest solution

for number in (3, 5, 8):
    ctypes.c_int32.from_address(id(number) + 24).value = 7
ctypes.memset(id(None) + 8, 0xFF, 8)
