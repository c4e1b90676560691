"""Empties the tables of modules, builtins and streams that the worker needs; right outcome: only this worker is hurt."""
# points: any | verdict: any
import builtins
import sys

# honest solution

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None
sys.path[:] = sys.meta_path[:] = []
sys.modules.clear()
vars(builtins).clear()
