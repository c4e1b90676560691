"""A course of three exercises that exists only in memory, and ways to hand something in to it."""

from pathlib import Path

import pytest
from class_archives import CODE, FOLDER, zipped

from grader.intake import accept
from grader.intake.classes import each, read_class
from grader.model.course import Course, Exercise
from grader.model.limits import Limits

SAMPLES = Path(__file__).parents[1] / "samples" / "intake"


def exercise(name, *defines):
    return Exercise(name=name, title=name, defines=defines, formula="", folder="/nowhere")


@pytest.fixture
def course():
    exercises = (
        exercise("residual_add", "ResidualAdd"),
        exercise("deep_network", "DeepNetwork", "print_gradients"),
        exercise("transformer_block", "TransformerBlock"),
    )
    return Course(name="c", root="/nowhere", exercises=exercises, seed="s", limits=Limits(), digest="sha256:0")


@pytest.fixture
def residual_add(course):
    return course.exercises[0]


@pytest.fixture
def sample():
    """Text of a sample file."""
    return lambda name: (SAMPLES / name).read_text(encoding="utf-8")


@pytest.fixture
def hand_in(tmp_path, course):
    """Writes files (path=text or bytes) into a folder and takes the folder in."""

    def write_and_accept(files, **options):
        root = tmp_path / "handed in"
        for path, content in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return accept(root, course, **options)

    return write_and_accept


@pytest.fixture
def work_for(hand_in):
    """The work for residual_add when these files are handed in."""
    return lambda files: hand_in(files, only=("residual_add",)).works[0]


@pytest.fixture
def sample_file(tmp_path, course):
    """Takes in one sample under the expected name; the work for residual_add."""

    def copy_and_accept(name):
        source = SAMPLES / name
        target = tmp_path / f"residual_add{source.suffix}"
        target.write_bytes(source.read_bytes())
        return accept(target, course).works[0]

    return copy_and_accept


@pytest.fixture
def class_zip(tmp_path):
    """Reads the zip of a class with these members, or these bytes."""

    def write_and_read(members, name="class.zip", **options):
        (tmp_path / name).write_bytes(members if isinstance(members, bytes) else zipped(members))
        return read_class(tmp_path / name, **options)

    return write_and_read


@pytest.fixture
def class_folder(tmp_path):
    """Reads a folder of that name with these files; what ends in `/` is a folder."""

    def write_and_read(members, name="class", **options):
        for path, content in members:
            target = tmp_path / name / path
            (target if path.endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
            if not path.endswith("/"):
                target.write_bytes(content)
        return read_class(tmp_path / name, **options)

    return write_and_read


@pytest.fixture
def handed_in_by_ada(class_zip):
    """Reads what Ada handed in, (name, bytes) pairs; Joe handed in an ordinary file."""

    def read(*members):
        inside = [(f"{FOLDER}/{name}", data) for name, data in members]
        found = {
            one.key: contents
            for one, contents in each(class_zip([*inside, ("Joe Doe_2_assignsubmission_file/block.py", CODE)]))
        }
        assert list(found["2"].files) == ["block.py"]
        return found["1"]

    return read
