"""Proofs that are kept: they count as long as nothing has changed that could change a verdict."""

import shutil
import sys
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from grader import cli
from grader.authoring import kept as module
from grader.authoring.kept import cache_folder, fingerprints, keep, kept
from grader.authoring.proof import ExerciseProof, Fault, Proof
from grader.model.course import load_course
from grader.model.limits import Limits

CHECKS = '''\
from grader.checks import check, fail, gap


@check(points=1, concept="numbers")
def check_doubles(student, draw):
    """The output is twice the input."""
    x = draw.input(4)
    if not gap(student.Doubled()(x), 2 * x) < 1e-9:
        fail("It is not.", expected="2·x", tag="wrong-scale")
'''
FORWARD = "from torch import nn\n\n\nclass Doubled(nn.Module):\n    def forward(self, x):\n"
SOLUTION = FORWARD.replace("(nn.Module):\n", '(nn.Module):\n    """Twice."""\n\n') + (
    "        # BEGIN SOLUTION\n        return 2 * x\n        # END SOLUTION\n"
)
FILES = {
    "course.toml": 'name = "Small"\nexercises = ["doubled"]\nseed = "a seed"\n',
    "previous_chapters.py": "# blocks\n",
    "doubled/exercise.toml": 'title = "Doubled"\ndefines = ["Doubled"]\nformula = "2·x"\n',
    "doubled/solution.py": SOLUTION,
    "doubled/checks.py": CHECKS,
    "doubled/mistakes/thrice.py": f'# tag: wrong-scale\n"""Thrice."""\n{FORWARD}        return 3 * x\n',
    "doubled/rewrites/sum.py": f'"""A sum."""\n{FORWARD}        return x + x\n',
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A course, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, text in FILES.items():
        path = tmp_path / "solutions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "solutions"


def proven(course, seeds=2, faults=(), warnings=()):
    names = [exercise.name for exercise in course.exercises]
    return Proof(course.name, seeds, tuple(ExerciseProof(name, (), (), faults, warnings) for name in names))


def known(root, seeds=2):
    course = load_course(root)
    return kept(course, fingerprints(course, ()), seeds)


@pytest.fixture
def was_proven(root):
    course = load_course(root)
    keep(course, proven(course, warnings=("a warning",)), fingerprints(course, ()))
    return root


def test_a_proof_is_known_again_with_what_it_warned_of(was_proven):
    assert known(was_proven)["doubled"].warnings == ("a warning",)


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"course.toml"}))
def test_a_change_of_any_file_ends_it(was_proven, name):
    with (was_proven / name).open("a", encoding="utf-8") as file:
        file.write("\n")

    assert known(was_proven) == {}


@pytest.mark.parametrize(
    "changed",
    [FILES["course.toml"].replace("a seed", "another"), FILES["course.toml"] + "[limits]\ncheck_seconds = 5\n"],
)
def test_another_seed_and_other_limits_end_it(was_proven, changed):
    (was_proven / "course.toml").write_text(changed, encoding="utf-8")

    assert known(was_proven) == {}


@pytest.mark.parametrize("name", ["doubled/mistakes/new.py", "doubled/rewrites/new.py", "doubled/data.bin", "more.py"])
def test_a_new_file_ends_it(was_proven, name):
    (was_proven / name).write_bytes(b"\xff")

    assert known(was_proven) == {}


def test_a_file_that_is_gone_or_has_another_name_ends_it(was_proven):
    mistake = was_proven / "doubled" / "mistakes" / "thrice.py"
    mistake.rename(mistake.with_name("three.py"))

    assert known(was_proven) == {}


def test_what_changes_no_verdict_does_not_end_it(was_proven):
    course = was_proven / "course.toml"
    course.write_text(
        FILES["course.toml"].replace("Small", "Other") + '[deadline]\nat = 2026-10-04T23:59:00\ntime_zone = "UTC"\n'
    )
    (was_proven / "doubled" / "__pycache__").mkdir()
    (was_proven / "doubled" / "__pycache__" / "x.pyc").write_bytes(b"x")
    (was_proven / "doubled" / ".checks.py.swp").write_bytes(b"x")

    assert known(was_proven).keys() == {"doubled"}


def test_another_grader_or_another_torch_ends_it(was_proven, monkeypatch):
    before = module._running_with()
    monkeypatch.setattr(module, "_running_with", lambda: ("other", *before[1:]))

    assert known(was_proven) == {}
    monkeypatch.setattr(module, "_running_with", lambda: tuple(part.replace("torch ", "torch 0") for part in before))
    assert known(was_proven) == {}


def test_the_grader_is_known_by_its_code(tmp_path, monkeypatch):
    for name in ("__init__.py", "checks/vocabulary.toml", "checks/run.py"):
        (tmp_path / "grader" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "grader" / name).write_text("a = 1\n")
    monkeypatch.setattr(module.grader, "__file__", str(tmp_path / "grader" / "__init__.py"))
    seen = {module._running_with.__wrapped__()}

    for path in sorted((tmp_path / "grader").rglob("*.*")):
        path.write_text("a = 2\n")
        seen.add(module._running_with.__wrapped__())
    assert len(seen) == 4


def test_a_copy_of_the_course_elsewhere_is_proven_by_itself(was_proven, tmp_path):
    shutil.copytree(was_proven, tmp_path / "copy")

    assert known(tmp_path / "copy") == {}


def test_a_proof_on_fewer_seeds_is_not_enough_and_takes_nothing_from_one_on_more(was_proven):
    assert known(was_proven, seeds=3) == {}
    course = load_course(was_proven)
    keep(course, proven(course, seeds=1), fingerprints(course, ()))
    assert known(was_proven)["doubled"].seeds == 2
    keep(course, proven(course, seeds=5), fingerprints(course, ()))
    assert known(was_proven, seeds=3)["doubled"].seeds == 5


def test_what_is_not_proven_is_not_kept(root):
    course = load_course(root)

    keep(course, proven(course, faults=(Fault("a.py", "this", "that"),)), fingerprints(course, ()))

    assert known(root) == {}


def test_what_was_changed_while_it_was_proven_is_not_kept(root):
    course = load_course(root)
    before = fingerprints(course, ())
    (root / "doubled" / "rewrites" / "sum.py").write_text("changed")

    keep(course, proven(course), before)

    assert known(root) == {}


def test_a_damaged_file_of_the_cache_is_none(was_proven):
    (file,) = (cache_folder() / "proofs").iterdir()
    file.write_bytes(file.read_bytes()[:-5])

    assert known(was_proven) == {}


def test_stale_proofs_do_not_pile_up(was_proven):
    course = msgspec.structs.replace(load_course(was_proven), limits=Limits(check_seconds=3))

    keep(course, proven(course), fingerprints(course, ()))

    assert len(list((cache_folder() / "proofs").iterdir())) == 1


# The commands ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def call(root, launch, monkeypatch, capfd):
    """Runs a command beside the course; returns exit code, stdout, stderr and how often something was judged."""
    started = []
    monkeypatch.chdir(root.parent)
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: started.append(1) or nullcontext(launch))

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *arguments])
        started.clear()
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *capfd.readouterr(), len(started)

    return run


def test_what_was_verified_is_published_without_being_judged_again(root, call):
    assert call("verify")[::3] == (0, 1)

    code, out, told, judged = call("publish")

    assert (code, judged) == (0, 0)
    assert "exercises/doubled.py" in out.replace("\\", "/")
    assert "doubled is proven already, on 2 seeds" in told
    assert call("publish", "--force")[::3] == (0, 1)
    assert "proven already" not in call("publish", "--unproven")[2]


def test_what_was_changed_since_is_judged_again_and_refused(root, call):
    assert call("publish")[::3] == (0, 1)
    assert call("publish")[::3] == (0, 0)
    rewrite = root / "doubled" / "rewrites" / "sum.py"
    rewrite.write_text(FILES["doubled/rewrites/sum.py"].replace("x + x", "x"), encoding="utf-8")

    code, _, told, judged = call("publish")

    assert (code, judged) == (3, 1)
    assert "rewrites/sum.py: wanted all 1 points" in told
    assert call("publish")[::3] == (3, 1)


def test_the_quiz_is_proven_and_kept_like_an_exercise(root, call):
    shutil.copytree(Path(__file__).parents[2] / "solutions" / "knowledge_check", root / "knowledge_check")
    course = root / "course.toml"
    course.write_text(course.read_text().replace('["doubled"]', '["doubled", "knowledge_check"]'), encoding="utf-8")

    assert call("verify")[::3] == (0, 1)
    assert known(root).keys() == {"doubled", "knowledge_check"}
    assert call("publish")[::3] == (0, 0)
    with (root / "knowledge_check" / "questions.toml").open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert known(root).keys() == {"doubled"}
    assert call("publish")[::3] == (0, 1)
    assert known(root).keys() == {"doubled", "knowledge_check"}


def test_what_is_not_covered_is_told_each_time(root, call):
    for path in (root / "doubled" / "rewrites").iterdir():
        path.unlink()

    assert [words in call("publish")[2] for words in 2 * ["not covered: doubled has no rewrites"]] == [True, True]


def test_a_cache_that_cannot_be_written_is_a_note(root, call):
    (root.parent / "cache").write_text("a file")

    code, _, told, _ = call("verify")

    assert code == 0
    assert "The proof is not kept, since" in told


def test_no_proof_is_published_or_packed(root, call):
    call("verify")
    assert call("publish")[0] == 0

    everything = [path.name for path in root.parent.rglob("*") if "cache" not in path.parts and path.is_file()]
    assert sorted(everything) == sorted(
        [*(Path(name).name for name in FILES), "doubled.py", "doubled.ipynb", "previous_chapters.py", "README.md"]
    )
