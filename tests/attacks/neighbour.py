"""A process of the same user that has nothing to do with the grading: it holds the token and says which signals come.

Its argument is the token, which is also in its environment and in its memory.
"""

import os
import signal
import sys


def main() -> None:
    """Write the number of each signal that arrives to stdout, one per line, until killed."""
    secret = sys.argv[1].encode() * 64
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, lambda found, _: os.write(1, f"{found}\n".encode()))
    os.write(1, b"ready\n")
    while secret:
        signal.pause()


if __name__ == "__main__":
    main()
