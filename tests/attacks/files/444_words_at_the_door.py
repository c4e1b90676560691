"""Starts programs, signals and connects by the names that are refused in words; right outcome: refused all the same."""
# points: full | verdict: -
import os
import signal
import socket
import subprocess

# honest solution

attempt("subprocess", lambda: subprocess.run(["/bin/true"], check=True))
attempt("fork", lambda: os.fork() or os._exit(0))
attempt("socket", lambda: socket.socket())
attempt("kill", lambda: os.kill(NEIGHBOUR, signal.SIGURG))
attempt("fork behind the door", lambda: raw(57) or os._exit(0))
attempt("socket behind the door", lambda: raw(41, 1, 1, 0))
attempt("signal behind the door", lambda: raw(62, NEIGHBOUR, int(signal.SIGURG)))
