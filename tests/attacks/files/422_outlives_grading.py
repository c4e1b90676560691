"""Detaches a child (double fork, new session) and a thread that keep running; right outcome: all are gone after the kill."""
# points: full | verdict: -
import os
import threading
import time

# honest solution


def detach():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    return "detached"


attempt("fork twice", detach)
threading.Thread(target=time.sleep, args=(60,)).start()
