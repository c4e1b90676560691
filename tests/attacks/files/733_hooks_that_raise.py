"""Sets trace, profile, audit and exception hooks that raise and print; right outcome: only this worker is hurt."""
# points: any | verdict: any
import builtins
import sys
import threading

# honest solution


def hook(*args):
    raise SystemExit(0)


sys.excepthook = sys.unraisablehook = threading.excepthook = sys.displayhook = hook
threading.setprofile(hook)
builtins.isinstance = builtins.len = builtins.type = builtins.getattr = hook
sys.addaudithook(hook)
