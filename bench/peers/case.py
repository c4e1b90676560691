"""What a peer's test calls: one check, on the submission that the environment names, in the process of the tests."""

from __future__ import annotations

import os
import warnings
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import torch

from bench.floors.direct import NoWorkers, without_isolation
from bench.measure import SOLUTIONS
from grader.checks.run import run_checks
from grader.intake import accept
from grader.model.course import load_course

SUBMISSION = "BENCH_SUBMISSION"


def passed(exercise: str, check: str) -> bool:
    """Whether the check finds nothing wrong."""
    return _verdicts(os.environ[SUBMISSION])[exercise, check] in ("passed", "needs_review")


@cache
def _verdicts(path: str) -> dict[tuple[str, str], str]:
    """All of them at the first call: a peer's tests cost what the checks cost, and no file is loaded twice."""
    warnings.simplefilter("ignore")
    number_type = torch.get_default_dtype()
    course = load_course(SOLUTIONS)
    with ExitStack() as stack:
        stack.enter_context(without_isolation())
        stack.callback(torch.set_default_dtype, number_type)
        results = run_checks(course, accept(Path(path), course), NoWorkers())
    return {(one.name, check.name): check.verdict for one in results for check in one.checks}
