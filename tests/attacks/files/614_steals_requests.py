"""Reads the judge's requests in threads, so that the worker never sees them; right outcome: the time of the check ends it."""
# points: none | verdict: timed_out
import os
import threading

# honest solution


def steal(channel):
    while os.read(channel, 1 << 20):
        pass


for _ in range(4):
    threading.Thread(target=steal, args=(channels()[0],), daemon=True).start()
