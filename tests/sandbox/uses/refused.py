"""What students may try and no submission may do; each function lets the exception through that it gets."""

import asyncio
import multiprocessing
import os
import pathlib
import signal
import socket
import subprocess
import sys
import urllib.request

import torch


def run_a_program():
    subprocess.run(["ls"], check=False)


def run_a_program_in_a_shell():
    subprocess.check_output("nvidia-smi", shell=True)


def run_python():
    subprocess.Popen([sys.executable, "-c", "pass"])


def run_by_system():
    """os.system hides the reason: it returns -1."""
    if os.system("true") != 0:
        raise OSError("os.system could not start anything")


def run_by_popen():
    os.popen("true").read()


def replace_itself():
    os.execv(sys.executable, [sys.executable, "-c", "pass"])


def fork():
    os.fork()


def start_a_process():
    process = multiprocessing.Process(target=print)
    process.start()
    process.join()


def start_a_process_by_spawn():
    process = multiprocessing.get_context("spawn").Process(target=print)
    process.start()
    process.join()


def start_a_pool():
    with multiprocessing.Pool(2) as pool:
        pool.map(abs, [-1])


def start_a_process_pool():
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2) as pool:
        list(pool.map(abs, [-1]))


def start_a_queue():
    multiprocessing.Queue().put(1)


def load_data_in_processes():
    data = torch.utils.data.TensorDataset(torch.arange(10.0))
    list(torch.utils.data.DataLoader(data, batch_size=2, num_workers=2))


def share_memory():
    torch.ones(3).share_memory_()


def open_a_socket():
    socket.socket()


def connect():
    socket.create_connection(("127.0.0.1", 80), timeout=1)


def look_up_a_name():
    socket.getaddrinfo("pytorch.org", 443)


def download():
    urllib.request.urlopen("http://127.0.0.1/", timeout=1)


def download_by_torch():
    torch.hub.load_state_dict_from_url("http://127.0.0.1/model.pt")


def download_code_by_torch():
    torch.hub.load("pytorch/vision", "resnet18", trust_repo=True)


def use_asyncio():
    async def nothing():
        return None

    asyncio.run(nothing())


def serve():
    from http.server import HTTPServer, SimpleHTTPRequestHandler

    HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)


def read_the_users():
    pathlib.Path("/etc/passwd").read_text()


def read_what_is_not_there():
    pathlib.Path("/content/drive/data.csv").read_text()


def read_about_itself():
    pathlib.Path("/proc/self/status").read_text()


def list_everything():
    os.listdir("/tmp")


def write_into_temp():
    pathlib.Path("/tmp/notes.txt").write_text("notes")


def write_beside_torch():
    (pathlib.Path(torch.__file__).parent / "notes.txt").write_text("notes")


def write_over_itself():
    with open(torch.__file__, "a") as file:
        file.write("# more")


def write_too_much():
    with open("big.bin", "wb") as file:
        for _ in range(40):
            file.write(bytes(1 << 20))


def open_too_many():
    opened = [open("many.txt", "w") for _ in range(100)]  # noqa: SIM115
    return len(opened)


def kill_the_parent():
    os.kill(os.getppid(), signal.SIGKILL)


def kill_everybody():
    os.kill(-1, signal.SIGKILL)


def kill_the_group():
    os.killpg(0, signal.SIGKILL)


def be_root():
    os.setuid(0)


def be_nicer():
    os.nice(-5)


def leave_the_session():
    os.setsid()


def link():
    os.symlink("a.txt", "b.txt")


def hard_link():
    pathlib.Path("a.txt").write_text("a")
    os.link("a.txt", "b.txt")


def change_rights():
    pathlib.Path("a.txt").write_text("a")
    os.chmod("a.txt", 0o600)


def change_times():
    pathlib.Path("a.txt").write_text("a")
    os.utime("a.txt", (0, 0))


def change_the_owner():
    pathlib.Path("a.txt").write_text("a")
    os.chown("a.txt", 0, 0)


def truncate_by_name():
    pathlib.Path("a.txt").write_text("a")
    os.truncate("a.txt", 0)


def make_a_pipe_in_a_folder():
    os.mkfifo("pipe")


def raise_a_limit():
    """Python looks at the wish itself; only a limit that is not higher is for the kernel to refuse."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def choose_processors():
    os.sched_setaffinity(0, {0})


def memory_file():
    os.memfd_create("hidden")


def ask():
    input("Your name? ")


def read_a_line():
    if not sys.stdin.readline():
        raise EOFError("nothing to read")


def debug():
    """Python's debugger reads commands from stdin."""
    breakpoint()


def take_too_much_memory():
    torch.ones(1 << 40)


def take_too_much_memory_in_python():
    bytearray(1 << 40)


def still_here(x=None):
    """For the test: the process has survived."""
    return True
