"""Starts up to 500 threads that sleep; right outcome: refused at a limit, answers are still possible."""
# points: any | verdict: any
import threading
import time

# honest solution


def bomb():
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return 500


attempt("start 500 threads", bomb)
