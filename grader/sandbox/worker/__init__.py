"""The untrusted side: what runs in a worker. Self-contained (torch, msgspec and the standard library only).

The protocol
============
Both ends exchange *frames*: a length (4 bytes, little-endian, bounded) and that many bytes of MessagePack holding one
of the structs in `messages`. The judge asks, the worker answers, one question at a time::

    judge                                     worker
      │  Load, Begin, Build, Call, …            │
      ├────────────────────────────────────────▶│   runs the student's code
      │              ProbeCall, ProbeBackward   │   …which calls a probe that lives with the judge
      │◀────────────────────────────────────────┤
      │  Answer / Refuse                        │
      ├────────────────────────────────────────▶│   goes on
      │                        Done / Raised    │
      │◀────────────────────────────────────────┤

Nothing that the worker says is believed: it is data with a type, a bound and a deadline, and every number in it is a
claim that the judge compares with its own. Tensors travel as dtype + shape + bytes, never as pickles or objects; what
cannot be expressed that way travels as `Opaque`, a type name and a short text.

Modules: `messages` (the frames), `channel` (the wire), `loading` (source to names), `probing` (sublayers that live with
the judge), `tracing` (who called whom), `serving` (the loop).
Nothing here imports any other module of the grader, so a worker holds no check, no course, no key.
"""
