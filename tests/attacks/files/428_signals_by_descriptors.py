"""Lets the kernel signal others for it: owners of descriptors, leases, timers, queues; right outcome: nobody hears anything."""
# points: full | verdict: -
import ctypes
import fcntl
import os
import signal
import struct

# honest solution

F_SETOWN, F_SETSIG, F_SETOWN_EX, O_ASYNC = 8, 10, 15, 0o20000


def owned(command, value):
    reading, writing = os.pipe()
    fcntl.fcntl(reading, F_SETSIG, signal.SIGURG)
    fcntl.fcntl(reading, command, value)
    fcntl.fcntl(reading, fcntl.F_SETFL, O_ASYNC)
    os.write(writing, b"x")


def channel_owned():
    fcntl.fcntl(channels()[0], F_SETOWN, NEIGHBOUR)
    fcntl.fcntl(channels()[0], fcntl.F_SETFL, O_ASYNC)
    return fcntl.fcntl(channels()[0], fcntl.F_SETFL, 0)


attempt("own a pipe for the neighbour", lambda: owned(F_SETOWN, NEIGHBOUR))
attempt("own a pipe for its group", lambda: owned(F_SETOWN, -NEIGHBOUR))
attempt("own a pipe for its thread", lambda: owned(F_SETOWN_EX, struct.pack("ii", 0, NEIGHBOUR)))
attempt("own the channel for the neighbour", channel_owned)
attempt("own by ioctl", lambda: fcntl.ioctl(channels()[0], 0x8901, struct.pack("i", NEIGHBOUR)))
attempt("timer for another thread", lambda: raw(
    222, 1, ctypes.create_string_buffer(struct.pack("qiii", 0, signal.SIGURG, 4, NEIGHBOUR) + bytes(44)), ctypes.create_string_buffer(8)))
