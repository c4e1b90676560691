"""Python and its library."""

import dataclasses
import logging
import os
import platform
import random
import shutil
import sys
import threading
import time
import warnings

import torch
from torch import nn


def threads():
    found = []
    workers = [threading.Thread(target=found.append, args=[number]) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sorted(found) == [0, 1, 2, 3]


def thread_pool():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(abs, [-1, -2])) == [1, 2]


def queue_and_timer():
    import queue

    items = queue.Queue()
    threading.Timer(0.001, items.put, args=["late"]).start()
    return items.get(timeout=5) == "late"


def random_numbers():
    import secrets
    import uuid

    random.seed(1)
    return 0 <= random.random() < 1 and len(secrets.token_hex(4)) == 8 and len(str(uuid.uuid4())) == 36


def clocks():
    begun = time.perf_counter()
    time.sleep(0.001)
    return time.perf_counter() > begun and time.time() > 1 and time.process_time() > 0


def alarm():
    import signal

    seen = []
    signal.signal(signal.SIGALRM, lambda *_: seen.append("late"))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while not seen:
        pass
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return seen == ["late"]


def time_zones():
    from datetime import datetime
    from zoneinfo import ZoneInfo

    winter = datetime(2024, 1, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    return winter.utcoffset().total_seconds() == 3600 and time.strftime("%Y", time.localtime()) > "2000"


def processors():
    import multiprocessing

    return os.cpu_count() >= 1 and multiprocessing.cpu_count() >= 1 and len(os.sched_getaffinity(0)) >= 1


def platforms():
    return all([platform.system(), platform.machine(), platform.python_version(), platform.platform(), sys.version])


def processor_name():
    return isinstance(platform.processor(), str) and isinstance(platform.uname().node, str)


def users():
    import getpass

    return os.getuid() >= 0 and getpass.getuser() == os.environ["USER"]


def memory_in_use():
    import resource
    import tracemalloc

    tracemalloc.start()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0 and peak >= 0


def fault_handler():
    import faulthandler

    faulthandler.enable()
    faulthandler.dump_traceback_later(60)
    faulthandler.cancel_dump_traceback_later()
    return faulthandler.is_enabled()


def stop_watches():
    import cProfile
    import timeit

    profile = cProfile.Profile()
    profile.runcall(sum, [1, 2])
    return timeit.timeit("1 + 1", number=10) > 0 and len(profile.getstats()) > 0


def languages():
    import locale

    return bool(locale.setlocale(locale.LC_ALL, "")) and "ä".upper() == "Ä"


def logs():
    logger, handler = logging.getLogger("training"), logging.StreamHandler()
    logger.addHandler(handler)
    logger.warning("step %d", 1)
    logger.removeHandler(handler)
    print("to stderr", file=sys.stderr, flush=True)
    return True


def warned():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.warn("careful", stacklevel=1)
    return len(found) == 1


def data_classes():
    @dataclasses.dataclass
    class Config:
        dim: int = 8

    return dataclasses.asdict(Config()) == {"dim": 8}


def deep_copies():
    import copy

    model = nn.Sequential(nn.Linear(2, 2), nn.GELU())
    return torch.equal(copy.deepcopy(model)[0].weight, model[0].weight)


def sources():
    import inspect

    return inspect.getsource(nn.Linear).startswith("class Linear") and "def sources" in inspect.getsource(sources)


def tracebacks():
    import traceback

    try:
        nn.Linear(2, 2)(torch.ones(3))
    except RuntimeError:
        return "shapes cannot be multiplied" in traceback.format_exc()
    return False


def deep_recursion():
    def depth(left):
        return 0 if left == 0 else 1 + depth(left - 1)

    return depth(900) == 900


def standard_library():
    import asyncio
    import concurrent.futures
    import ctypes
    import decimal
    import http
    import sqlite3
    import ssl
    import subprocess
    import unittest
    import urllib.request
    import zipfile

    used = [asyncio, concurrent.futures, ctypes, decimal, http, ssl, subprocess, unittest, urllib.request, zipfile]
    return len(used) == 10 and sqlite3.connect(":memory:").execute("select 1").fetchone() == (1,)


def unit_tests():
    import unittest

    class Case(unittest.TestCase):
        def test_one(self):
            self.assertTrue(callable(self.id))  # noqa: PT009  (it is what they learn)

    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
    return result.wasSuccessful()


def progress_bar_by_hand():
    for step in range(3):
        print(f"\rstep {step}", end="", flush=True)
    return shutil.get_terminal_size().columns > 0


def collect_garbage():
    import gc

    return gc.isenabled() and gc.collect() >= 0
