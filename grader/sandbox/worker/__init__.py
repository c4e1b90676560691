"""The untrusted side: what runs in a worker. Self-contained (torch, msgspec and the standard library only).

The protocol
============
Both ends exchange *frames*, and the judge counts its questions. A frame belongs to one question and has three parts::

    head        12 bytes: the number of the question, the length of the structure, the length of the tensors
    structure   MessagePack of one of the structs in `messages`
    tensors     the bytes of each tensor, in the order in which the structure names them

The judge asks, the worker answers, one question at a time::

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
claim that the judge compares with its own. Both lengths of a reply are compared with their bounds (`wire`) before
anything behind the head is read. A tensor in the structure is a dtype and a shape; how many bytes it has follows from
them, so there is nothing to contradict: what is left over or missing, or a frame for another question, is a bad frame,
and its worker is ended. Tensors are bytes, never pickles or objects; what cannot be expressed that way travels as
`Opaque`, the words for what it is.

Modules: `messages` (what is said), `wire` (messages as frames), `values` (Python values as messages), `channel` (the
worker's end), `loading` (source to names), `probing` (sublayers that live with the judge), `tracing` (who called whom),
`operations` (what torch was asked for), `removal` (a block without its residuals), `training` (the copy task),
`serving` (the loop).
Nothing here imports any other module of the grader, so a worker holds no check, no course, no key.
"""
