"""Spins in ten threads and waits, so that more processor time goes than the clock shows; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
import threading
import time
import zlib

# honest solution


def spin():
    while True:
        zlib.crc32(bytes(1 << 20))


for _ in range(10):
    threading.Thread(target=spin, daemon=True).start()
time.sleep(1000)
