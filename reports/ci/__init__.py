"""A record for the places that run `grade submit` on every push: files by name, made from the record alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reports.ci.findings import Base

FORMATS = ("github", "gitlab", "junit", "gradescope", "classroom50", "github-classroom")
GITHUB_CLASSROOM = "github-classroom.json"


def files(record: dict[str, Any], formats: tuple[str, ...], base: Base, environ: Mapping[str, str]) -> dict[str, bytes]:
    """What these formats want written: one file for each, and JUnit's beside GitLab's, which reads both.

    GitHub reads what is printed instead (`reports.ci.github`). A result that a platform takes for final is left out
    where a check could not be carried out.
    """
    from reports.ci import classroom50, github_classroom, gitlab, gradescope, junit

    makers: dict[str, dict[str, Callable[[], bytes | None]]] = {
        "junit": {"junit.xml": lambda: junit.junit_xml(record, base)},
        "gitlab": {
            "junit.xml": lambda: junit.junit_xml(record, base),
            "gl-code-quality-report.json": lambda: gitlab.code_quality(record, base),
        },
        "gradescope": {"results.json": lambda: gradescope.results(record)},
        "classroom50": {"result.json": lambda: classroom50.result(record, environ)},
        "github-classroom": {GITHUB_CLASSROOM: lambda: github_classroom.result(record, base)},
    }
    wanted = {name: make for one in formats for name, make in makers.get(one, {}).items()}
    return {name: data for name, make in wanted.items() if (data := make()) is not None}
