"""What a student's code finds around itself: nothing of the command, of the course, or of its neighbours."""

import os
from pathlib import Path

import pytest

from grader.sandbox.confine import identity
from grader.sandbox.launch import ForkLauncher

ROOT = Path(__file__).parents[2]
SECRET = "a-secret-of-the-parent"  # noqa: S105  (of nobody)
SOURCE = """
import os
import sys
import tempfile


def environment():
    return dict(os.environ)


def arguments():
    return [*sys.argv, *sys.orig_argv]


def search_path():
    return list(sys.path)


def finders():
    return [getattr(finder, "__name__", type(finder).__name__) for finder in sys.meta_path]


def modules():
    return [name for name in sys.modules if name.startswith(("grader", "reports", "pytest", "solution", "checks"))]


def folder():
    return [os.getcwd(), os.environ["HOME"], tempfile.gettempdir()]


def write(name):
    with open(name, "w") as file:
        file.write(name)
    return os.listdir()


def listing(path):
    return sorted(os.listdir(path))


def numbers():
    return sorted(found for found in range(2000) if is_open(found))


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def mask():
    found = os.umask(0o77)
    os.umask(found)
    return found


def read_input():
    return sys.stdin.read()


def identity():
    return [*os.getresuid(), *os.getresgid(), *os.getgroups()]


def process():
    return [os.getpid(), os.getppid(), os.uname().nodename]


def limit(name):
    import resource
    return list(resource.getrlimit(getattr(resource, name)))


def can_read(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(1)) == 1
    except OSError:
        return False


def processes():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
"""


@pytest.fixture(scope="module", params=[(), ("namespaces",)], ids=["contained", "not_contained"])
def without(request):
    return request.param


@pytest.fixture(scope="module")
def workers(tmp_path_factory, open_forked, without):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADE_TEST_SECRET", SECRET)
        patch.setenv("PYTHONPATH", str(ROOT))
        launcher = ForkLauncher(without)
    with launcher, open_forked(launcher, tmp_path_factory.mktemp("environment")) as made:
        yield made


@pytest.fixture(scope="module")
def session(workers, open_session):
    opened = open_session(workers, SOURCE)
    opened.load()
    yield opened
    opened.close()


@pytest.fixture
def student(session, student_of):
    session.begin(1)
    return student_of(session)


@pytest.fixture
def neighbour(workers, open_session, student_of):
    opened = open_session(workers, SOURCE)
    opened.begin(1)
    yield student_of(opened)
    opened.close()


def test_environment_has_none_of_the_parents_variables(student):
    found = student.environment()

    assert SECRET not in str(found)
    assert set(found).isdisjoint({"GRADE_TEST_SECRET", "PYTHONPATH", "PYTEST_CURRENT_TEST", "VIRTUAL_ENV"})


def test_arguments_say_nothing_of_the_command(student):
    assert student.arguments() == ["worker", "worker"]


def test_search_path_has_no_checkout(student):
    found = student.search_path()

    assert [entry for entry in found if entry == "" or (Path(entry) / "grader").exists()] == []


def test_no_finder_leads_back_to_an_editable_install(student):
    assert student.finders() == ["BuiltinImporter", "FrozenImporter", "PathFinder", "Loader"]


def test_no_module_of_the_grader_is_loaded_but_the_workers_own(student):
    ancestors = ("forkserver", "nursery", "ground", "folders", "worker", "confine")
    allowed = tuple(f"grader.sandbox.{name}" for name in ancestors)

    found = [name for name in student.modules() if name not in ("grader", "grader.sandbox")]

    assert [name for name in found if not name.startswith(allowed)] == []


def test_working_folder_is_home_and_temporary_folder_and_empty(student):
    cwd, home, temporary = student.folder()

    assert cwd == home == temporary
    assert student.listing(cwd) == []


def test_two_workers_do_not_see_each_others_files(student, neighbour):
    student.write("mine.txt")

    assert neighbour.listing(neighbour.folder()[0]) == []


def test_folder_on_disk_is_private_and_removed_afterwards(workers, without, open_session, student_of):
    if not without:
        pytest.skip("in the container it is a file system in memory, which ends with the worker")
    opened = open_session(workers, SOURCE)
    opened.begin(1)
    folder = Path(student_of(opened).folder()[0])
    student_of(opened).write("mine.txt")
    mode = folder.stat().st_mode & 0o777

    opened.close()

    assert mode == 0o700
    assert not folder.exists()


def test_open_descriptors_are_input_output_and_the_channel(student):
    assert len(student.numbers()) == 4
    assert student.numbers()[:3] == [0, 1, 2]


def test_input_is_empty(student):
    assert student.read_input() == ""


def test_files_of_others_are_written_by_nobody_else(student):
    assert student.mask() & 0o022 == 0o022


@pytest.mark.parametrize(
    ("name", "value"), [("RLIMIT_CORE", 0), ("RLIMIT_NOFILE", 64), ("RLIMIT_FSIZE", 16 << 20), ("RLIMIT_CPU", 260)]
)
def test_limits_are_set_and_hard(student, name, value):
    assert student.limit(name) == [value, value]


@pytest.mark.parametrize("path", ["solutions/residual_add/checks.py", "grader/checks/run.py", "README.md"])
def test_no_file_of_the_checkout_can_be_read(student, path):
    assert (ROOT / path).is_file()
    assert not student.can_read(str(ROOT / path))


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/proc/self/mem"])
def test_no_file_of_the_system_can_be_read(student, path):
    assert not student.can_read(path)


def test_no_process_is_seen(student):
    assert student.processes() == []


def test_inside_the_container_a_worker_is_the_only_process(student, without):
    if without:
        pytest.skip("there is no container")
    assert student.process() == [1, 0, "grade"]


def test_worker_has_one_user_and_no_further_group(student):
    ids = student.identity()

    assert len(set(ids[:3])) == len(set(ids[3:6])) == 1
    assert ids[6:] == [] or os.geteuid() != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="who is not root stays who he is")
def test_started_as_root_two_workers_are_two_users_of_nobody(student, neighbour, without):
    if without:
        pytest.skip("whether another user can read Python depends on where it lies")
    one, other = student.identity()[0], neighbour.identity()[0]

    assert one != other
    assert {one, other} <= set(identity.UNUSED)
