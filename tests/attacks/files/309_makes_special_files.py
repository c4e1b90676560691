"""Makes pipes, sockets, devices and links where others will open them; right outcome: none is made."""
# points: full | verdict: -
import os
import socket
import stat

# honest solution

attempt("fifo", lambda: os.mkfifo(f"{CANARY}/grades/fifo"))
attempt("socket", lambda: socket.socket(socket.AF_UNIX).bind(f"{CANARY}/grades/socket"))
attempt("socket node", lambda: os.mknod(f"{CANARY}/grades/node", stat.S_IFSOCK | 0o666))
attempt("device", lambda: os.mknod(f"{CANARY}/grades/device", stat.S_IFCHR | 0o666, os.makedev(1, 1)))
attempt("symbolic link", lambda: os.symlink("/etc/passwd", f"{CANARY}/grades/link"))
attempt("symbolic link beside the checks", lambda: raw(266, b"/etc/passwd", -100, f"{CANARY}/hidden/link".encode()))
attempt("own device of all memory", lambda: (os.mknod("mem", stat.S_IFCHR | 0o666, os.makedev(1, 1)), open("mem", "rb").read(1)))
attempt("own device of a disk", lambda: (os.mknod("disk", stat.S_IFBLK | 0o666, os.makedev(254, 0)), open("disk", "rb").read(1)))
attempt("own pipe for others", lambda: os.mkfifo("fifo"))
