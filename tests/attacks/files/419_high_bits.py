"""Sets high bits in call numbers and arguments, which the kernel cuts off and a filter may not; right outcome: refused."""
# points: full | verdict: -
import os

# honest solution

HIGH = 1 << 32
attempt("socket with a high number", lambda: raw(HIGH + 41, 2, 1, 0))
attempt("socket with a negative number", lambda: raw(41 - HIGH, 2, 1, 0))
attempt("fork with a high number", lambda: raw(HIGH + 57) or os._exit(0))
attempt("memfd with a high number", lambda: raw(HIGH + 319, b"x", 0))
attempt("signal a pid with high bits", lambda: raw(62, HIGH * 5 + NEIGHBOUR, 23))
attempt("control command with high bits", lambda: raw(16, 1, HIGH + 0x5412, b"x"))
attempt("descriptor command with high bits", lambda: raw(72, 0, HIGH + 8, NEIGHBOUR))
attempt("process option with high bits", lambda: raw(157, HIGH + 36, 1, 0, 0, 0))
attempt("clone with high bits", lambda: raw(56, HIGH | 17, 0, 0, 0, 0) or os._exit(0))
