"""One submission's worker, forked and spawned: the same questions get the same answers."""

import pytest
import torch

from grader.checks.probe import Probe
from grader.sandbox.session import StudentRaised, WorkerLost
from grader.sandbox.spawned import SpawnedWorkers

SOURCE = """
import ctypes
import os

import torch
from torch import nn

print("loading")


class Block(nn.Module):
    def __init__(self, dim, sublayer):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer

    def forward(self, x):
        return x + torch.tanh(self.sublayer(self.norm(x)))


def twice(x):
    return 2 * x


def loop():
    while True:
        pass


def leave():
    os._exit(7)


def crash():
    ctypes.string_at(0)


def speak():
    print("spoken")


def fail():
    raise ValueError("wrong by design")


def random():
    return torch.rand(3)


def dtype():
    return torch.zeros(1)
"""


@pytest.fixture(scope="module")
def loaded(workers, open_session):
    session = open_session(workers, SOURCE, "Block", check_seconds=2, again_seconds=2)
    facts = session.load()
    yield session, facts
    session.close()


@pytest.fixture
def session(loaded):
    loaded[0].begin(1)
    loaded[0].take_output()
    return loaded[0]


@pytest.fixture
def student(session, student_of):
    return student_of(session)


@pytest.fixture
def x():
    return torch.randn(3, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(5))


def test_loading_tells_what_the_file_defines(loaded):
    facts = loaded[1]

    assert (facts["present"], facts["modules"], facts["notes"]) == (["Block"], ["Block"], [])


def test_call_returns_the_same_tensor_as_here(student, x):
    block = student.build("torch.nn.Tanh")

    assert torch.equal(block(x), torch.tanh(x))


def test_gradient_through_a_probe_agrees_with_local_autograd(student, x):
    weight = torch.linspace(-1, 1, 16, dtype=torch.float64).reshape(4, 4)
    probe = Probe(lambda h: torch.sin(h @ weight))
    there, here = x.clone().requires_grad_(), x.clone().requires_grad_()

    student.Block(4, probe)(there).pow(2).sum().backward()
    norm = torch.nn.functional.layer_norm(here, (4,))
    (here + torch.tanh(probe.function(norm))).pow(2).sum().backward()

    assert torch.allclose(there.grad, here.grad, rtol=0, atol=1e-12)


def test_gradients_of_parameters_agree_with_local_autograd(student, x):
    block, cotangent = student.build("torch.nn.Linear", 4, 4), torch.ones(3, 4, dtype=torch.float64)
    values = {name: value.clone().requires_grad_() for name, value in block.parameters().items()}

    found = block.gradient(x, cotangent).parameters
    torch.nn.functional.linear(x, values["weight"], values["bias"]).sum().backward()

    assert all(torch.allclose(found[name], value.grad, rtol=0, atol=1e-12) for name, value in values.items())


def test_a_blank_module_draws_no_weights_and_the_next_one_does(session, student, x):
    drawn = student.build("torch.nn.Linear", 4, 4).parameters()
    session.begin(1)

    blank = student.blank("torch.nn.Linear", 4, 4)

    assert blank.call(x).value.shape == x.shape
    again = student.build("torch.nn.Linear", 4, 4).parameters()
    assert all(torch.equal(again[name], value) for name, value in drawn.items())


def test_probe_sees_what_it_is_given(student, x):
    probe = Probe(lambda h: h)

    student.Block(4, probe)(x)

    assert torch.allclose(probe.calls[0].input, torch.nn.functional.layer_norm(x, (4,)), rtol=0, atol=1e-12)


def test_probe_that_cannot_take_its_input_raises_over_there(student, x):
    probe = Probe(lambda h: h @ torch.zeros(5, 5, dtype=torch.float64))

    with pytest.raises(StudentRaised, match="the sublayer cannot take this") as caught:
        student.Block(4, probe)(x)

    assert caught.value.frame.places[-1].function == "forward"


def test_exception_names_type_text_and_line(student):
    with pytest.raises(StudentRaised) as caught:
        student.fail()

    frame, where = caught.value.frame, caught.value.where
    assert (frame.type, frame.text, where.code) == (
        "ValueError",
        "wrong by design",
        'raise ValueError("wrong by design")',
    )


def test_output_is_that_of_the_check(session, student):
    student.speak()

    assert session.take_output().head == "spoken\n"


def test_new_check_has_the_seed_it_was_given(session, student):
    session.begin(11)
    first = student.random()
    session.begin(11)

    assert torch.equal(student.random(), first)


def test_new_check_has_the_number_type_it_was_given(session, student):
    session.begin(1, "float32")

    assert student.dtype().dtype == torch.float32


def test_new_check_has_forgotten_the_objects_of_the_last(session, student, x):
    block = student.build("torch.nn.Tanh")
    session.begin(1)

    with pytest.raises(StudentRaised, match="IndexError"):
        block(x)


def test_name_that_is_not_defined_is_a_failure_of_the_submission(student):
    with pytest.raises(StudentRaised, match="KeyError"):
        student.nothing()


def test_worker_that_ends_is_told_and_replaced(session, student):
    with pytest.raises(WorkerLost, match="exit code 7") as caught:
        student.leave()

    session.begin(1)
    assert caught.value.verdict == "crashed"
    assert torch.equal(student.twice(torch.ones(2)), torch.full((2,), 2.0))


def test_worker_that_hangs_is_told_and_replaced(session, student):
    with pytest.raises(WorkerLost) as caught:
        student.loop()

    session.begin(1)
    assert caught.value.verdict == "timed_out"
    assert torch.equal(student.twice(torch.ones(2)), torch.full((2,), 2.0))


def test_worker_that_crashes_names_the_signal(forked, open_session, student_of):
    session = open_session(forked, SOURCE, "Block")
    session.begin(1)

    with pytest.raises(WorkerLost, match="a segmentation fault"):
        student_of(session).crash()


def test_file_that_ends_its_process_is_lost_while_loading(forked, open_session):
    session = open_session(forked, "import os\nprint('last words', flush=True)\nos._exit(3)\n")

    with pytest.raises(WorkerLost, match="exit code 3"):
        session.load()

    assert session.take_output().head == "last words\n"


def test_what_a_worker_took_of_memory_is_known_when_it_was_ended(forked, open_session):
    for mib in (0, 100):
        session = open_session(forked, f"import torch\n\nspare = torch.ones({mib}, 1 << 18, dtype=torch.float32)\n")
        session.load()
        assert session.most_mib is None
        session.close()
        assert mib <= session.most_mib < mib + 50


def test_of_a_spawned_worker_nobody_knows(open_session):
    session = open_session(SpawnedWorkers(), SOURCE)
    session.load()
    session.close()

    assert session.most_mib is None
