"""A world worth attacking: files with a secret, a neighbour, listeners, and a picture of all that must stay the same.

Everything in it is open to any user of the machine, unless said otherwise: only the confinement keeps a worker away.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import site
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from types import TracebackType

import processes

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VARIABLE = "GRADE_TEST_SECRET"


class World:
    """Made on entering, removed on leaving.

    `folder/grades/results.json`   everybody may write
    `folder/grades/private.json`   for this user alone
    `folder/hidden/`               the course that is graded by: its checks and its seed hold the token
    `folder/submissions/`          what another student handed in
    `folder/temp/`                 the temporary folder of the grader
    """

    def __init__(self, checks: tuple[str, ...] = ()) -> None:
        """`checks`: the only ones that the course has; none named: all of residual_add."""
        self._checks = checks
        self.token = f"CANARY-TOKEN-{secrets.token_hex(8)}"
        self.mark = f"attack-mark-{secrets.token_hex(4)}"
        self.key = 0x67720000 | secrets.randbelow(1 << 16)  # of System V IPC objects

    def __enter__(self) -> World:
        self.folder = Path(tempfile.mkdtemp(prefix="canary-"))
        self.temp, self.course = self.folder / "temp", self.folder / "hidden"
        self._usual_temp, tempfile.tempdir = tempfile.tempdir, str(self.temp)
        os.environ[VARIABLE] = self.token
        processes.adopt_orphans(True)
        self._write_files()
        self._listen()
        self._signals = 0
        self._neighbour = subprocess.Popen(
            [sys.executable, "-I", str(HERE / "neighbour.py"), self.token],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env={"SECRET": self.token}, start_new_session=True,
        )  # fmt: skip
        assert self._neighbour.stdout is not None
        assert self._neighbour.stdout.readline() == b"ready\n"
        os.set_blocking(self._neighbour.stdout.fileno(), False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._neighbour.kill()
        self._neighbour.communicate()
        for listener in self._listeners.values():
            listener.close()
        processes.adopt_orphans(False)
        del os.environ[VARIABLE]
        tempfile.tempdir = self._usual_temp
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)  # shutil gives up on very deep folders

    @property
    def names(self) -> dict[str, object]:
        """What an attack is told of the world, as if it had found it out."""
        return {
            "CANARY": str(self.folder), "NEIGHBOUR": self._neighbour.pid, "MARK": self.mark, "KEY": self.key,
            "TCP": self._listeners["TCP"].getsockname(), "UDP": self._listeners["UDP"].getsockname(),
            "ABSTRACT": self._listeners["abstract socket"].getsockname(),
            "SOCKET": self._listeners["unix socket"].getsockname(), "TOKEN": rb"CANARY-TOKE[N]-[0-9a-f]{16}",
        }  # fmt: skip

    def _write_files(self) -> None:
        solutions = ROOT / "solutions"
        left_out = shutil.ignore_patterns("mistakes", "rewrites")
        shutil.copytree(solutions / "residual_add", self.course / "residual_add", ignore=left_out)
        shutil.copy(solutions / "previous_chapters.py", self.course)
        checks = self.course / "residual_add" / "checks.py"
        text = self._only_wanted(checks.read_text(encoding="utf-8"))
        checks.write_text(f"{text}\n\nTOKEN = {self.token!r}\n", encoding="utf-8")
        text = f'name = "Canary"\nexercises = ["residual_add"]\nseed = "{self.token}"\n'
        (self.course / "course.toml").write_text(text, encoding="utf-8")
        for name in ("grades/results.json", "grades/private.json", "submissions/ada/residual_add.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(f'"{self.token}"\n', encoding="utf-8")
        self.temp.mkdir()
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)
        (self.folder / "grades/private.json").chmod(0o600)

    def _only_wanted(self, source: str) -> str:
        if not self._checks:
            return source
        tree = ast.parse(source)
        others = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
                  and node.name.removeprefix("check_") not in self._checks]  # fmt: skip
        tree.body = [node for node in tree.body if node not in others]
        return ast.unparse(tree)

    def _listen(self) -> None:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        abstract, unix = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        for listener, address in (
            (tcp, ("127.0.0.1", 0)), (udp, ("127.0.0.1", 0)), (abstract, f"\0{self.mark}"),
            (unix, str(self.folder / "socket")),
        ):  # fmt: skip
            listener.bind(address)
            listener.setblocking(False)
            if listener is not udp:
                listener.listen(100)
        (self.folder / "socket").chmod(0o777)
        self._listeners = {"TCP": tcp, "UDP": udp, "abstract socket": abstract, "unix socket": unix}
        self._hits = dict.fromkeys(self._listeners, 0)

    # -- what must stay the same

    def picture(self, grader: set[int]) -> dict[str, str]:
        """Everything that no submission may change, by name; `grader` are the grader's processes."""
        parts = [part for part in self.folder.iterdir() if part != self.temp]
        paths = [path for part in parts for path in (part, *part.rglob("*"))]
        found = {str(path.relative_to(self.folder)): of_file(path) for path in paths} | self._temporary()
        found |= {f"process {pid}": processes.standing(pid) for pid in {*grader, os.getpid()}}
        found["the neighbour"] = f"{processes.standing(self._neighbour.pid)}, {self._heard()} signals"
        found |= {f"calls at the {name}": str(number) for name, number in self._called().items()}
        found |= {f"left behind: {mark}": "yes" for mark in self._marks()}
        return found

    def settle(self, before: dict[str, str]) -> None:
        """Wait for the grader to clean up after a worker, as long as that may take."""
        deadline = time.monotonic() + processes.SETTLE_SECONDS
        while not self._temporary().keys() <= before.keys() and time.monotonic() < deadline:
            time.sleep(0.01)

    def _temporary(self) -> dict[str, str]:
        """The grader works there, so only what is there matters."""
        found = [os.path.join(base, name) for base, folders, files in os.walk(self.temp) for name in (*folders, *files)]
        return {os.path.relpath(path, self.folder): "there" for path in found[:1000]}

    def _heard(self) -> int:
        assert self._neighbour.stdout is not None
        with contextlib.suppress(OSError):
            while data := self._neighbour.stdout.read(1 << 16):
                self._signals += data.count(b"\n")
        return self._signals

    def _called(self) -> dict[str, int]:
        for name, listener in self._listeners.items():
            with contextlib.suppress(BlockingIOError):
                while True:
                    listener.recv(1 << 16) if name == "UDP" else listener.accept()[0].close()
                    self._hits[name] += 1
        return self._hits

    def _marks(self) -> list[str]:
        """Whatever bears the mark, in places that outlive a worker; it is removed."""
        purelib, home = sysconfig.get_path("purelib"), os.path.expanduser("~")
        folders = {"/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", self._usual_temp or "/tmp", home, str(ROOT), purelib}
        folders |= {os.getcwd(), site.getusersitepackages(), str(ROOT / "grader"), os.path.join(purelib, "torch")}
        found = [path for folder in sorted(folders) for path in Path(folder).glob(f"*{self.mark}*")]
        for path in found:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        return [*map(str, found), *self._ipc_objects()]

    def _ipc_objects(self) -> list[str]:
        libc, found = ctypes.CDLL(None), []
        for kind, remove in (("shm", libc.shmctl), ("msg", libc.msgctl), ("sem", libc.semctl)):
            with contextlib.suppress(OSError):
                for line in Path(f"/proc/sysvipc/{kind}").read_text(encoding="ascii").splitlines()[1:]:
                    key, number = map(int, line.split()[:2])
                    if key == self.key:
                        found.append(f"System V {kind}")
                        remove(number, *[0] * (kind == "sem"), 0, None)  # IPC_RMID
        if libc.mq_unlink(f"/{self.mark}".encode()) == 0:
            found.append("message queue")
        with contextlib.suppress(OSError):
            found += ["key"] * Path("/proc/keys").read_text(encoding="utf-8", errors="replace").count(self.mark)
        return found


def of_file(path: Path) -> str:
    """All that can be seen of a file or folder from outside."""
    found = path.lstat()
    content = ""
    if stat.S_ISREG(found.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    attributes = [f"{name}={os.getxattr(path, name, follow_symlinks=False)!r}" for name in _attributes(path)]
    numbers = (oct(found.st_mode), found.st_uid, found.st_gid, found.st_nlink, found.st_mtime_ns)
    return " ".join(map(str, (*numbers, content, *attributes)))


def _attributes(path: Path) -> list[str]:
    try:
        return sorted(os.listxattr(path, follow_symlinks=False))
    except OSError:
        return []


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """One line for each difference between two pictures."""
    names = sorted(before.keys() | after.keys())
    return [
        f"{name}: {before.get(name, 'nothing')} became {after.get(name, 'nothing')}"
        for name in names
        if before.get(name) != after.get(name)
    ]
