"""Dumps environment variables, arguments and the first stack of the process; right outcome: no token, no path of the grader."""
# points: full | verdict: -
import ctypes
import os
import re
import sys

# honest solution


def dump():
    text = repr((dict(os.environ), sys.argv, sys.orig_argv, sys.path, sys.flags, sys.executable)).encode()
    table = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    number = 0
    while table and table[number]:
        text += table[number]
        number += 1
    for name in ("environ", "cmdline"):
        try:
            text += open(f"/proc/self/{name}", "rb").read()
        except OSError:
            pass
    if os.getcwd() != "/":
        text = text.replace(os.getcwd().encode(), b"")  # its own folder is no secret
    return re.findall(TOKEN, text) + [word for word in (b"hidden", b"GRADE_TEST", b"solutions", CANARY.encode()) if word in text]


attempt("find secrets in the environment", lambda: only_if(dump()))
