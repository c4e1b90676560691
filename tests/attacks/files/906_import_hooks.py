"""Puts finders, loaders and path hooks before everybody's, and replaces the worker's own modules; right outcome: only its own process."""
# points: any | verdict: any
import importlib.abc
import sys
import types

# honest solution


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        raise SystemExit(name)


sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: 1 / 0)
sys.path.insert(0, CANARY)
for name in list(sys.modules):
    if name.startswith("grader"):
        sys.modules[name] = types.ModuleType(name)
