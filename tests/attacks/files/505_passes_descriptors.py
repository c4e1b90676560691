"""Sends descriptors over the channel, to fill the judge's table or to hand it a trap; right outcome: refused."""
# points: full | verdict: -
import os
import socket

# honest solution


def send():
    with socket.socket(fileno=os.dup(channels()[0])) as channel:
        for _ in range(50):
            socket.send_fds(channel, [b""], [0, 1, 2])


def credentials():
    with socket.socket(fileno=os.dup(channels()[0])) as channel:
        return channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)


attempt("descriptors over the channel", send)
attempt("who is at the other end", credentials)
attempt("receive descriptors", lambda: socket.recv_fds(socket.socket(fileno=os.dup(channels()[0])), 0, 5, socket.MSG_DONTWAIT))
attempt("close the judge's side", lambda: only_if(socket.socket(fileno=os.dup(channels()[0])).getpeername() is not None))
