"""Writes into the channels of others, and opens the one of its own a second time; right outcome: there is only one, and no way to open it."""
# points: full | verdict: -
import os

# honest solution

attempt("open the channel again", lambda: os.open(f"/proc/self/fd/{channels()[0]}", os.O_RDWR))
attempt("open another channel", lambda: only_if(
    [os.open(f"/proc/{pid}/fd/{number}", os.O_RDWR) for pid in (os.getppid(), NEIGHBOUR) for number in range(3, 8)]))
attempt("write to every descriptor", lambda: only_if([n for n in range(3, 4096) if n not in channels() and os.write(n, b"x")]))
