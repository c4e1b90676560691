"""Starts programs in every way that Python and libc have; right outcome: none starts."""
# points: full | verdict: -
import asyncio
import ctypes
import multiprocessing
import os
import subprocess
import sys

# honest solution

libc, echo = ctypes.CDLL(None, use_errno=True), ["/bin/echo", "THROUGH a program ran"]


def errno(result):
    if result:
        raise OSError(result if result > 0 else ctypes.get_errno(), "refused")
    return result


attempt("subprocess", lambda: subprocess.run(echo, check=True))
attempt("subprocess with a shell", lambda: subprocess.check_output("id", shell=True))
attempt("subprocess of Python", lambda: subprocess.run([sys.executable, "-c", "print('THROUGH')"], check=True))
attempt("os.system", lambda: errno(os.system("true")))
attempt("os.popen", lambda: only_if(os.popen("id").read()))
attempt("posix_spawn", lambda: os.posix_spawn("/bin/echo", echo, {}))
attempt("spawnv", lambda: os.spawnv(os.P_NOWAIT, "/bin/echo", echo))
attempt("forkpty", lambda: os.forkpty()[0] or os._exit(0))
attempt("libc system", lambda: errno(libc.system(b"true")))
attempt("libc popen", lambda: only_if(libc.popen(b"id", b"r")))
attempt("multiprocessing fork", lambda: multiprocessing.get_context("fork").Process(target=os.getpid).start())
attempt("multiprocessing spawn", lambda: multiprocessing.get_context("spawn").Process(target=os.getpid).start())
attempt("multiprocessing manager", lambda: multiprocessing.Manager())
attempt("asyncio", lambda: asyncio.run(asyncio.create_subprocess_exec(*echo)))
