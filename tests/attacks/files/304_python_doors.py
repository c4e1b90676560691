"""Opens a hidden file through every door that Python and torch have; right outcome: none opens."""
# points: full | verdict: -
import codecs
import ctypes
import fileinput
import glob
import importlib.machinery
import io
import linecache
import mmap
import os
import pathlib
import pkgutil
import runpy
import shutil
import sqlite3
import tokenize
import zipfile

import torch

# honest solution

target, text = f"{CANARY}/hidden/residual_add/checks.py", lambda data: only_if(data)[-60:]


def libc_fopen():
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    file = libc.fopen(target.encode(), b"r")
    if not file:
        raise OSError("fopen")
    data = ctypes.create_string_buffer(1 << 16)
    libc.fread(data, 1, 1 << 16, ctypes.c_void_p(file))
    return data.value


attempt("open", lambda: text(open(target).read()))
attempt("io.FileIO", lambda: text(io.FileIO(target).readall()))
attempt("io.open_code", lambda: text(io.open_code(target).read()))
attempt("os.open", lambda: text(os.read(os.open(target, os.O_RDONLY), 1 << 16)))
attempt("os.open for reading and writing", lambda: text(os.read(os.open(target, os.O_RDWR), 1 << 16)))
attempt("codecs", lambda: text(codecs.open(target).read()))
attempt("pathlib", lambda: text(pathlib.Path(target).read_text()))
attempt("linecache", lambda: text("".join(linecache.getlines(target))))
attempt("tokenize", lambda: text(tokenize.open(target).read()))
attempt("fileinput", lambda: text("".join(fileinput.input(target))))
attempt("runpy", lambda: runpy.run_path(f"{CANARY}/hidden/residual_add/solution.py").keys())
attempt("importlib", lambda: importlib.machinery.SourceFileLoader("checks", target).get_code("checks"))
attempt("pkgutil", lambda: only_if(list(pkgutil.iter_modules([f"{CANARY}/hidden"]))))
attempt("shutil", lambda: shutil.copyfile(target, "copy"))
attempt("mmap", lambda: mmap.mmap(os.open(target, os.O_RDONLY), 0, prot=mmap.PROT_READ)[-60:])
attempt("torch.from_file", lambda: torch.from_file(target, size=10, dtype=torch.uint8))
attempt("torch.from_file, shared", lambda: torch.from_file(target, shared=True, size=10, dtype=torch.uint8))
attempt("torch storage", lambda: torch.UntypedStorage.from_file(target, False, 10))
attempt("torch.load", lambda: torch.load(target))
attempt("torch.jit.load", lambda: torch.jit.load(target))
attempt("sqlite3", lambda: sqlite3.connect(f"file:{CANARY}/hidden/new.db", uri=True).execute("create table a (b)"))
attempt("sqlite3 attach", lambda: sqlite3.connect(":memory:").execute(f"attach '{CANARY}/hidden/new.db' as x"))
attempt("zipfile", lambda: zipfile.ZipFile(f"{CANARY}/grades/new.zip", "w"))
attempt("fopen", lambda: text(libc_fopen()))
attempt("dlopen", lambda: ctypes.CDLL(target))
attempt("glob", lambda: only_if(glob.glob(f"{CANARY}/**/*.py", recursive=True)))
attempt("os.walk", lambda: only_if(list(os.walk(CANARY))))
attempt("os.scandir", lambda: list(os.scandir(CANARY)))
attempt("read what another student handed in", lambda: open(f"{CANARY}/submissions/ada/residual_add.py").read())
attempt("read a file of this user alone", lambda: open(f"{CANARY}/grades/private.json").read())
