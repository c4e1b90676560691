"""A submission whose functions answer the judge themselves; loaded by test_hostile_replies, never imported."""

import contextlib
import gc
import os
import sys
import threading
import time

import torch
from torch import nn

channel = next(found for found in gc.get_objects() if type(found).__name__ == "Channel")
m, wire, values = (sys.modules[f"grader.sandbox.worker.{name}"] for name in ("messages", "wire", "values"))
ONE = values.pack_tensor(torch.ones(1))


class Block(nn.Module):
    def forward(self, x):
        return 2 * x


class Calling(nn.Module):
    def __init__(self, sublayer):
        super().__init__()
        self.sublayer = sublayer

    def forward(self, x):
        while True:
            x = self.sublayer(x)


class Stubborn(Calling):
    def forward(self, x):
        while True:
            with contextlib.suppress(RuntimeError):
                self.sublayer(x)


def write(data):
    while data:
        data = data[os.write(channel._writing, data) :]


def frame(message, ahead=0):
    return wire.encode(message, channel._question + ahead)


def head(structure, tensors=0):
    return wire.HEAD.pack(channel._question, structure, tensors)


def half_a_frame_then_silence():
    write(frame(m.Done("half"))[:-2])
    time.sleep(60)


def half_a_head_then_silence():
    write(frame(m.Done("half"))[:5])
    time.sleep(60)


def half_a_frame_then_close():
    write(frame(m.Done("half"))[:-2])
    os.close(channel._writing)


def half_a_frame_then_exit():
    write(frame(m.Done("half"))[:-2])
    os._exit(3)


def announces_4_gib():
    write(head(2**32 - 1))


def announces_tensors_of_4_gib():
    write(head(5, 2**32 - 1))


def announces_nothing():
    write(head(0))


def noise():
    write(b"\xa5" * 4096)


def text_for_a_frame():
    write(head(5) + b"\xa4done")


def drips():
    write(head(100, wire.MAX_DATA))
    while True:
        write(b"ab")


def floods_with_frames():
    while True:
        write(frame(m.ProbeCall(0, [ONE], {})))


def floods_and_reads_along():
    threading.Thread(target=lambda: [os.read(channel._reading, 1 << 16) for _ in iter(int, 1)], daemon=True).start()
    floods_with_frames()


def asks_without_end():
    while True:
        asks(m.ProbeCall(0, [ONE], {}))


def asks(message):
    channel.send(message)
    return channel.receive("answer")


def asks_for_an_unknown_probe():
    return asks(m.ProbeCall(99, [ONE], {})).text


def asks_for_an_unknown_gradient():
    return asks(m.ProbeBackward(99, ONE)).text


def asks_for_a_gradient_of_another_shape(sublayer):
    sublayer(torch.ones(2, 3))
    return asks(m.ProbeBackward(0, values.pack_tensor(torch.ones(50_000, 1, 1)))).text


def asks_with_too_much(sublayer):
    return asks(m.ProbeCall(0, [values.pack_tensor(torch.ones(3 << 20, dtype=torch.int8))], {})).text


def asks_with_nothing_that_is_large(sublayer):
    nothing = m.TensorData("int8", (0, 1 << 22))
    return asks(m.ProbeCall(0, [nothing], {})).text


def asks_with_a_tensor_by_name(sublayer):
    return asks(m.ProbeCall(0, [ONE], {"scale": ONE})).text


def answers_twice():
    write(frame(m.Done(1.0)))
    return 2.0


def answers_the_next_question():
    write(frame(m.Done(1.0), ahead=1))
    return 2.0


def answers_later():
    late = frame(m.Done(1.0))
    threading.Timer(0.05, write, (late,)).start()
    return 2.0


def raises_with_absurd_places():
    absurd = [("/etc/passwd", None, 1), ("../residual_add.py", None, 1), ("residual_add.py", None, 2**31),
              ("residual_add.py", None, 0), ("residual_add.py", 4, 1)]  # fmt: skip
    places = [m.Place(*place, "f") for place in absurd]
    write(frame(m.Raised("Error\n" * 60, "\0\x1b[31m" * 300, places)))


def raises_at_a_place_of_its_own():
    places = [m.Place("residual_add.py", None, 1, "f"), m.Place("/etc/passwd", None, 1, "f")]
    write(frame(m.Raised("Error", "words", places)))


def says_that_memory_ran_out():
    write(frame(m.Raised("Error", "", [], memory=True)))
