"""Reads command lines, environments, memory and open files of other processes in /proc; right outcome: no access."""
# points: full | verdict: -
import os

# honest solution

for pid in {os.getppid(), NEIGHBOUR, 1} - {0, os.getpid()}:
    for name in ("environ", "cmdline", "maps", "mem", "fd", "cwd", "root", "status", "stat", "task", "limits", "stack",
                 "auxv", "fdinfo", "map_files", "ns", "mountinfo", "exe", "syscall", "io", "wchan"):  # fmt: skip
        path = f"/proc/{pid}/{name}"
        attempt(f"read {name} of another process",
                lambda: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(64))
attempt("list other processes", lambda: only_if([n for n in os.listdir("/proc") if n.isdigit() and int(n) != os.getpid()]))
