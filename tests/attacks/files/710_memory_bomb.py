"""Asks for up to 8 GiB through torch, bytearrays, private and shared mappings; right outcome: each is refused."""
# points: full | verdict: -
import ctypes
import mmap

import torch

# honest solution

GIB = 1 << 30
attempt("torch 8 GiB", lambda: torch.empty(2 * GIB).numel())
attempt("bytearrays of 8 GiB", lambda: len([bytearray(64 << 20) for _ in range(128)]))
attempt("private mapping of 8 GiB", lambda: mmap.mmap(-1, 8 * GIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
attempt("shared mapping of 8 GiB", lambda: mmap.mmap(-1, 8 * GIB))
attempt("shared mappings of 64 MiB", lambda: len([mmap.mmap(-1, 64 << 20) for _ in range(64)]))
attempt("shared tensor of 2 GiB", lambda: torch.ones(GIB // 2).share_memory_())
attempt("malloc of 8 GiB", lambda: only_if(ctypes.CDLL(None).malloc(ctypes.c_size_t(8 * GIB))))
