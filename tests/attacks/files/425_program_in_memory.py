"""Makes a program in memory or in its folder and runs it; right outcome: no file in memory, and nothing runs."""
# points: full | verdict: -
import os

# honest solution

script = b"#!/bin/sh\necho THROUGH a file in memory runs\n"


def run(descriptor):
    os.write(descriptor, script)
    os.execve(descriptor, ["x"], {})


def own_file():
    with open("script", "wb") as file:
        file.write(script)
    os.chmod("script", 0o700)
    os.execv("./script", ["x"])


attempt("memfd", lambda: os.memfd_create("x"))
attempt("program in a memfd", lambda: run(os.memfd_create("x")))
attempt("secret memory", lambda: raw(447, 0))
attempt("program in its folder", own_file)
