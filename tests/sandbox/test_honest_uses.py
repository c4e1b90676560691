"""What honest students use works inside the confinement, with its namespaces and without; what is refused is an error.

The files in `uses/` are loaded as submissions are, each by one worker; a test calls one function of one of them, which
raises when something does not work, and returns whether the result is right.
"""

import ast
from pathlib import Path

import pytest

from grader.sandbox.launch import ForkLauncher
from grader.sandbox.session import StudentRaised

USES = Path(__file__).parent / "uses"
HONEST = ["layers", "training", "mathematics", "files", "language", "packages"]
# What Python raises for a refused call is an OSError, of whatever class; libraries may make another one of it.
OF_THE_SYSTEM = {"PermissionError", "FileNotFoundError", "OSError", "URLError", "gaierror"}
OTHERWISE = {
    "share_memory": "RuntimeError", "download_code_by_torch": "RuntimeError", "ask": "EOFError",
    "read_a_line": "EOFError", "debug": "BdbQuit", "take_too_much_memory": "RuntimeError",
    "take_too_much_memory_in_python": "MemoryError", "raise_a_limit": "ValueError",
}  # fmt: skip
SENSITIVE = [
    ("layers", "conv2d"), ("layers", "lstm"), ("layers", "transformer_encoder_layer"), ("training", "adamw"),
    ("training", "data_loader"), ("mathematics", "linear_algebra"), ("mathematics", "large_matrices"),
]  # fmt: skip


def uses(*files):
    """Each function without arguments. One that does not work yet is marked; once it does, its mark fails."""
    found = []
    for file in files:
        for node in ast.parse((USES / f"{file}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.args.args:
                found.append(pytest.param(file, node.name, id=node.name))
    return found


@pytest.fixture(scope="module", params=[(), ("namespaces",)], ids=["contained", "not_contained"])
def workers(request, tmp_path_factory, open_forked):
    with ForkLauncher(request.param) as launcher, open_forked(launcher, tmp_path_factory.mktemp("uses")) as made:
        yield made


@pytest.fixture(scope="module")
def sessions(workers, open_session):
    """By file; a worker is started when it is first needed, and anew after it was lost."""
    opened = {file.stem: open_session(workers, file.read_text(encoding="utf-8")) for file in USES.glob("*.py")}
    yield opened
    for session in opened.values():
        session.close()


@pytest.fixture
def student(sessions, student_of):
    def begun(file):
        sessions[file].begin(1)
        return student_of(sessions[file])

    return begun


@pytest.mark.parametrize(("file", "use"), uses(*HONEST))
def test_honest_use_works(student, file, use):
    assert student(file).build(use)


@pytest.mark.parametrize(("file", "use"), SENSITIVE)
def test_libraries_find_nothing_to_complain_about(sessions, student, file, use):
    begun = student(file)
    sessions[file].take_output()

    begun.build(use)

    assert sessions[file].take_output().head == ""


@pytest.mark.parametrize(("file", "use"), uses("refused"))
def test_refused_use_raises_and_the_process_goes_on(student, file, use):
    begun = student(file)

    with pytest.raises(StudentRaised) as caught:
        begun.build(use)

    assert caught.value.frame.type in {*OF_THE_SYSTEM, OTHERWISE.get(use)}
    assert begun.build("still_here", None)
