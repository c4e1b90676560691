"""Answers of another form or content than the student's code gave them: no check of any exercise is our fault for it.

The solution runs in a real worker; what it says is exchanged on the way. Each of these answers is one that a hostile
worker can send, and most are also what an odd but honest submission returns.
"""

import importlib.util
import inspect

import msgspec
import pytest
import torch

from grader.checks import Draw
from grader.checks.outcome import ended
from grader.checks.probe import ProbeDesk
from grader.checks.reference import reference_module
from grader.checks.student import Student
from grader.model.course import load_course
from grader.model.limits import Limits
from grader.model.results import CheckResult
from grader.sandbox.session import Session, Source, no_probes
from grader.sandbox.worker import messages as m
from grader.sandbox.worker.values import pack_tensor, unpack_tensor
from tests.conftest import SOLUTIONS

COURSE = load_course(SOLUTIONS)


def tensor(shape, dtype="float64", **more):
    made = m.TensorData(dtype, shape, **more)
    made.data = bytes(made.size)
    return made


def rows(*rest):
    return m.Items("list", [m.Items("list", [*rest])] * 3)


TOKENS = [tensor((6, 4, width)) for width in (1, 7, 12, 24)]
CALLS = [m.Items("list", [0, None, "Linear", 0, 1, a, b]) for a in TOKENS for b in TOKENS]
ODD = {"a": tensor(()), "b": tensor((0, 3), "int64"), "c": tensor((4, 4), "bool"), "d": 1}
VALUES = {
    "none": None,
    "number": 1.5,
    "text": "full marks",
    "rows": rows(1, 2, 3),
    "leaf_of_a_size_beyond_all": rows(m.Items("list", [2**31] * 60), None, 1),
    "leaf_of_500_axes": rows(m.Items("list", [2] * 500), None, 1),
    "table": m.Table({}),
    "table_of_tensors": m.Table({name: tensor((2, 3)) for name in ("seed", "dtype", "grad")}),
    "table_of_odd_tensors": m.Table(ODD),
    "probe": m.ProbeReference(9),
    "opaque": m.Opaque("sparse tensor", ""),
    "scalar": tensor(()),
    "calls_of_nothing": m.Items("tuple", [None, rows(0, None, "x", 0, 1, None, None)]),
    "calls_of_tensors": m.Items("tuple", [TOKENS[2], m.Items("list", CALLS)]),
}
CHANGES = {
    "truth_values": lambda t: t > 0,
    "single_precision": lambda t: t.float(),
    "nan": lambda t: t * float("nan"),
    "an_axis_less": lambda t: t[0] if t.dim() and len(t) else t,
    "no_width": lambda t: t[..., :0] if t.dim() else t,
    "no_batch": lambda t: t[:0] if t.dim() else t,
}


def changed(value, change):
    """The value with every tensor in it changed."""
    if isinstance(value, m.TensorData):
        return pack_tensor(change(unpack_tensor(value)))
    if isinstance(value, m.Items):
        return m.Items(value.kind, [changed(item, change) for item in value.items])
    return m.Table({k: changed(v, change) for k, v in value.items.items()}) if isinstance(value, m.Table) else value


FORGERIES = {
    **{name: lambda done, value=value: msgspec.structs.replace(done, value=value) for name, value in VALUES.items()},
    **{
        name: lambda done, change=change: msgspec.structs.replace(done, value=changed(done.value, change))
        for name, change in CHANGES.items()
    },
    "nothing_afterwards": lambda done: msgspec.structs.replace(done, after=[]),
    "others_afterwards": lambda done: msgspec.structs.replace(done, after=[tensor((3,), "bool") for _ in done.after]),
    "another_call": lambda done: msgspec.structs.replace(done, call=77),
}


FORMS = ("none", "text", "rows", "table_of_tensors")
KINDS = {
    "Build": ("none", "number", "scalar", "opaque"),
    "Call": ("none", "number", "probe", "scalar", *CHANGES, "nothing_afterwards", "others_afterwards", "another_call"),
    "Backward": (*FORMS, *CHANGES),
    "Parameters": (*FORMS, "table", "table_of_odd_tensors", *CHANGES),
    "Leaves": (*FORMS, "leaf_of_a_size_beyond_all", "leaf_of_500_axes"),
    "Trace": (*FORMS, "calls_of_nothing", "calls_of_tensors", *CHANGES),
    "Operations": (*FORMS, "calls_of_nothing", "calls_of_tensors", *CHANGES),
    "Defines": (*FORMS, "number"),
    "State": (*FORMS, "table"),
}


class Forging(Session):
    """Exchanges the answers to requests of one kind."""

    kind, forge = "", staticmethod(lambda done: done)

    def ask(self, request, serve=no_probes):
        self.asked = {*self.asked, type(request).__name__}
        done = super().ask(request, serve)
        return self.forge(done) if type(request).__name__ == self.kind else done


class Judged:
    """The checks of an exercise, and the solution in a worker whose answers can be forged."""

    def __init__(self, exercise, session):
        self.exercise, self.session = exercise, session
        spec = importlib.util.spec_from_file_location(f"checks_of_{exercise.name}", exercise.checks)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.checks = [check for name, check in vars(module).items() if name.startswith("check_")]
        self.reference = reference_module(COURSE, exercise)
        self.asks = {check: self.asked_by(check) for check in self.checks}

    def asked_by(self, check):
        """The kinds of questions that a check asks when all goes well."""
        self.session.asked = set()
        assert self.run(check).verdict == "passed"
        return self.session.asked

    def run(self, check):
        classes = [name for name in self.exercise.names if name[:1].isupper()]
        student = Student(self.session, ProbeDesk(), classes)
        given = {"student": student, "draw": Draw(3), "reference": self.reference}
        result = CheckResult(check.__name__, "", "", "hidden", "passed", 1.0, 1.0)
        try:
            student.begin(5)
            check(**{wanted: given[wanted] for wanted in inspect.signature(check).parameters})
        except Exception as ending:
            return ended(result, lambda *_: None, ending)
        return result

    def faults(self, kind, forge):
        """What staff read of checks that could not be carried out because of a forged answer."""
        self.session.kind, self.session.forge = kind, forge
        results = [self.run(check) for check in self.checks if kind in self.asks[check]]
        return {result.name: result.staff_note for result in results if result.verdict == "grader_error"}


@pytest.fixture(scope="module", params=COURSE.exercises, ids=lambda exercise: exercise.name)
def judged(request, forked):
    exercise, default = request.param, torch.get_default_dtype()
    blocks = m.Unit("previous_chapters", "previous_chapters.py", False, [(None, COURSE.building_blocks.read_text())])
    solution = m.Unit(exercise.name, f"{exercise.name}.py", False, [(None, exercise.solution.read_text())])
    session = Forging(forked, Source([blocks, solution], exercise.defines), Limits())
    session.asked = set()
    session.load()
    torch.set_default_dtype(torch.float64)
    yield Judged(exercise, session)
    torch.set_default_dtype(default)
    session.close()


@pytest.mark.parametrize(("kind", "forgery"), [(kind, name) for kind, names in KINDS.items() for name in names])
def test_forged_answer_is_never_our_fault(judged, kind, forgery):
    assert judged.faults(kind, FORGERIES[forgery]) == {}
