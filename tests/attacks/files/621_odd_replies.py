"""Sends replies of every other kind than agreed, in turn; right outcome: a verdict, never our fault."""
# points: some | verdict: any
import itertools
import sys

# honest solution

m, channel = protocol(), sys.modules["grader.sandbox.worker.channel"]
odd = itertools.cycle([
    m.Reference(2**31), m.Reference(0), m.ProbeReference(7), m.Opaque("<b>x</b>", "y"), None, True, 2**63 - 1, float("nan"), "text",
    m.Items("list", []), m.Items("tuple", [None] * 100), m.Table({}), m.Table({"seed": 1, "dtype": 2, "grad": 3}),
    tensor([0], b""), tensor([], bytes(8)), tensor([8], bytes(64), "int64"), tensor([8], bytes(8), "bool"),
    tensor([2, 5, 8], bytes(160), "float16", True, True), tensor([4, 6, 8], bytes(192 * 2), "bfloat16", True),
    m.Items("list", [m.Items("list", ["a", m.Table({}), m.Items("list", [])])]),
    m.Items("list", [m.Items("list", [m.Items("list", [8]), 5, "x"])]),
])  # fmt: skip
send, started = channel.Channel.send, []


def lying(self, message):
    if started and type(message).__name__ == "Done":
        message.value = next(odd)
    started.append(1)
    send(self, message)


channel.Channel.send = lying
