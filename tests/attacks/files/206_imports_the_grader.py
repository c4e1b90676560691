"""Imports whatever the judge would import: checks, solution, course, records; right outcome: nothing of it is there."""
# points: full | verdict: -
import importlib

# honest solution

for name in ("grader.checks", "grader.checks.run", "grader.pipeline", "grader.model.course", "reports", "reports.html",
             "solutions", "solution", "checks", "tests", "conftest", "solution_of_residual_add"):  # fmt: skip
    attempt(f"import {name}", lambda: importlib.import_module(name).__name__)
