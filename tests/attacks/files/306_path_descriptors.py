"""Takes descriptors with O_PATH, which need no right to read, and opens files through them; right outcome: none opens."""
# points: full | verdict: -
import os

# honest solution


def reopened():
    handle = os.open(f"{CANARY}/hidden/residual_add/checks.py", os.O_PATH)
    return open(f"/proc/self/fd/{handle}").read()[-60:]


def through_folder(flags):
    folder = os.open(f"{CANARY}/hidden", flags)
    return os.read(os.open("residual_add/checks.py", os.O_RDONLY, dir_fd=folder), 1 << 16)[-60:]


def upwards():
    folder = os.open(".", os.O_PATH | os.O_DIRECTORY)
    for _ in range(12):
        folder = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=folder)
    return os.read(os.open(f"{CANARY}/hidden/course.toml".lstrip("/"), os.O_RDONLY, dir_fd=folder), 100)


def changed_folder():
    before = os.open(".", os.O_PATH)
    os.chdir(f"{CANARY}/hidden")
    try:
        return open("course.toml").read()
    finally:
        os.fchdir(before)


attempt("reopen an O_PATH descriptor", reopened)
attempt("open below an O_PATH folder", lambda: through_folder(os.O_PATH))
attempt("open below a folder", lambda: through_folder(os.O_RDONLY))
attempt("go up through folders", upwards)
attempt("change the working folder", changed_folder)
attempt("read through /dev/fd", lambda: open(f"/dev/fd/{os.open(f'{CANARY}/hidden/course.toml', os.O_PATH)}").read())
attempt("list own descriptors' targets", lambda: only_if(
    [n for n in os.listdir("/proc/self/fd") if CANARY in os.readlink(f"/proc/self/fd/{n}")]))
attempt("link an unnamed file into the grades", lambda: os.link(
    f"/proc/self/fd/{os.open('.', 0o20200002, 0o600)}", f"{CANARY}/grades/unnamed", follow_symlinks=True))
