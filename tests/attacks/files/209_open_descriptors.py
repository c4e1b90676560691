"""Looks for descriptors that were left open: files, folders, other sockets, terminals; right outcome: none but its own."""
# points: full | verdict: -
import os
import re
import stat

# honest solution


def kinds():
    found = []
    for number in range(0, 4096):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISBLK(mode):
            found.append((number, oct(mode)))
        if number > 2 and stat.S_ISFIFO(mode):
            found.append((number, "pipe"))
    return found


attempt("find an open file", lambda: only_if(kinds()))
attempt("find a second socket", lambda: only_if(channels()[1:]))
attempt("read something from stdin", lambda: only_if(os.read(0, 100)))
attempt("read back what was printed", lambda: os.set_blocking(1, False) or os.read(1, 100))
attempt("be at a terminal", lambda: only_if([n for n in range(3) if os.isatty(n)]))
attempt("open the terminal", lambda: open("/dev/tty"))
