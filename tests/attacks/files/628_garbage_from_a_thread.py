"""Writes frames from a thread at random times while the worker answers; right outcome: a verdict, never our fault."""
# points: any | verdict: any
import os
import random
import threading
import time

# honest solution


def disturb():
    m = protocol()
    while True:
        time.sleep(random.random() / 50)
        os.write(channels()[0], frame(random.choice([m.Done(None), m.Done(True, [], 5), m.Raised("A", "b", [])]), random.randrange(3)))


threading.Thread(target=disturb, daemon=True).start()
