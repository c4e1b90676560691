"""Writes into memory that it shares with its ancestors, if there is any; right outcome: there is none."""
# points: full | verdict: -
import ctypes
import re

# honest solution


def shared():
    with open("/proc/self/maps") as maps:
        return [line.strip() for line in maps if re.match(r"\S+ .w.s ", line) and "/dev/zero" not in line]


attempt("find shared memory", lambda: only_if(shared()))
