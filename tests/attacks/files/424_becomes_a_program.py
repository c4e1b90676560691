"""Replaces itself by another program, which could speak to the judge; right outcome: no program is run."""
# points: full | verdict: -
import ctypes
import os
import sys

# honest solution

own = os.path.realpath(sys.executable)
loader = next((p for p in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(p)), "/lib/ld")
words = ["-c", "print('THROUGH another program runs')"]
attempt("execv", lambda: os.execv("/bin/echo", ["echo", "THROUGH another program runs"]))
attempt("execv of Python", lambda: os.execv(own, [own, *words]))
attempt("execv of the loader", lambda: os.execv(loader, [loader, own, *words]))
attempt("fexecve", lambda: os.execve(os.open("/bin/echo", os.O_RDONLY), ["echo", "THROUGH"], {}))
attempt("execveat", lambda: raw(322, -100, own.encode(), None, None, 0))
attempt("execlp in libc", lambda: only_if(ctypes.CDLL(None).execlp(b"echo", b"echo", b"THROUGH", None) + 1))
