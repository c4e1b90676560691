"""Ignores and blocks every signal, then spins; right outcome: killed all the same."""
# points: none | verdict: timed_out
import signal

# honest solution

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
