"""What a forward pass computes, operation by operation."""

import torch
from torch import nn

from grader.sandbox.worker import operations
from grader.sandbox.worker.operations import Recorder, Spots


def recorded(function, *inputs, parameters=()):
    with Recorder(inputs, {id(p): name for name, p in parameters}) as recorder:
        result = function(*inputs)
    return recorder, result


def test_each_result_names_what_it_was_made_from():
    x = torch.ones(3)
    recorder, result = recorded(lambda x: torch.tanh(x) + x, x)

    assert [(one.name, one.inputs) for one in recorder.operations] == [("input", []), ("tanh", [0]), ("add", [1, 0])]
    assert recorder.number(result) == 2


def test_parameters_go_by_their_names():
    layer = nn.Linear(2, 2)
    recorder, _ = recorded(layer, torch.ones(1, 2), parameters=layer.named_parameters())

    assert [one.parameter for one in recorder.operations if one.name == "parameter"] == ["weight", "bias"]


def test_what_was_there_before_is_given():
    mask = torch.ones(3)
    recorder, _ = recorded(lambda x: x * mask, torch.ones(3))

    assert [one.name for one in recorder.operations] == ["input", "given", "mul"]


def test_a_tensor_changed_in_place_is_a_new_one_from_then_on():
    def forward(x):
        y = x * 2
        y += 1
        return y * 3

    recorder, _ = recorded(forward, torch.ones(3))

    assert [(one.name.strip("_"), one.inputs) for one in recorder.operations][1:] == [
        ("mul", [0]), ("add", [1]), ("mul", [2]),
    ]  # fmt: skip
    assert [float(one.result[0]) for one in recorder.operations] == [1.0, 2.0, 3.0, 9.0]


def test_copies_are_as_they_were_at_that_time():
    recorder, _ = recorded(lambda x: (x * 2).zero_(), torch.ones(3))

    assert recorder.operations[1].result.tolist() == [2.0, 2.0, 2.0]


def test_each_of_several_results_is_listed():
    recorder, parts = recorded(lambda x: x.chunk(2), torch.ones(4))

    assert [recorder.number(part) for part in parts] == [1, 2]


def test_what_autograd_follows_shows():
    x = torch.ones(3, requires_grad=True) * 1.0
    recorder, _ = recorded(lambda x: x.detach() * 2 + x, x)

    assert [(one.name, one.tracked) for one in recorder.operations] == [
        ("input", True), ("detach", False), ("mul", False), ("add", True),
    ]  # fmt: skip


def test_results_beyond_the_bound_are_listed_without_numbers(monkeypatch):
    monkeypatch.setattr(operations, "MAX_NUMBERS", 5)
    recorder, _ = recorded(lambda x: x * 2, torch.ones(4))

    assert [one.result is None for one in recorder.operations] == [False, True]


def test_operations_beyond_the_bound_are_not_listed(monkeypatch):
    monkeypatch.setattr(operations, "MAX_OPERATIONS", 3)
    recorder, result = recorded(lambda x: ((x * 2) * 2) * 2, torch.ones(4))

    assert len(recorder.operations) == 3
    assert recorder.operations[recorder.number(result)].name == "given"


def test_an_operation_knows_the_expressions_that_made_it():
    source = "def inner(x):\n    return (x *\n            2)\n\n\ndef outer(x):\n    return inner(x) + 1\n"
    names = {}
    exec(compile(source, "student.py", "exec"), names)
    spots = Spots({"student.py": ("student.py", None)})
    x = torch.ones(3)

    with Recorder([x], {}, spots) as recorder:
        names["outer"](x)

    assert [one.spots for one in recorder.operations] == [
        (),
        (("student.py", None, 7, 7, 11, 19), ("student.py", None, 2, 3, 12, 13)),
        (("student.py", None, 7, 7, 11, 23), ("student.py", None, 7, 7, 11, 23)),
    ]
