"""Stops itself, so that it neither runs nor ends; right outcome: killed when its time is up."""
# points: any | verdict: any
import os
import signal

# honest solution

os.kill(os.getpid(), signal.SIGSTOP)
