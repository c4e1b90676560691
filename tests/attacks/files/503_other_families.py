"""Opens sockets of every family and kind the kernel has; right outcome: none opens."""
# points: full | verdict: -
import socket

# honest solution

for family in range(1, 46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(f"socket of family {family}, kind {kind}", lambda: socket.socket(family, kind))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
attempt("audit", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9))
attempt("socket pair", lambda: socket.socketpair())
