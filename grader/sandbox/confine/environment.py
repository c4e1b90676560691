"""What Python itself remembers of the ancestor: variables, arguments, search path, exit handlers, temporary folder."""

from __future__ import annotations

import atexit
import functools
import os
import sys
import sysconfig
import tempfile

INSTALLED = ("site-packages", "dist-packages", "lib-dynload")
FINDERS = ("BuiltinImporter", "FrozenImporter", "PathFinder")


def rebuild(folder: str) -> None:
    """Leave a plain Python whose home and working folder is `folder`."""
    os.environ.clear()
    os.environ.update(
        HOME=folder, TMPDIR=folder, USER="student", LOGNAME="student", LANG="C.UTF-8", PATH=os.defpath,
        OMP_NUM_THREADS="1", TORCH_COMPILE_DISABLE="1", TORCHINDUCTOR_CACHE_DIR=folder,
    )  # fmt: skip
    os.chdir(folder)
    tempfile.tempdir = folder
    sys.argv[:] = ["worker"]
    sys.orig_argv[:] = ["worker"]
    sys.dont_write_bytecode = True
    atexit._clear()
    only_installed_packages()


@functools.cache
def standard_library() -> frozenset[str]:
    """The folders of the standard library."""
    return frozenset(os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))


def only_installed_packages() -> None:
    """Importable is the standard library and what is installed; no checkout, no editable install, no course."""
    library = standard_library()
    sys.path[:] = [p for p in sys.path if os.path.basename(p) in INSTALLED or os.path.realpath(p) in library]
    sys.meta_path[:] = [f for f in sys.meta_path if getattr(f, "__name__", "") in FINDERS]
