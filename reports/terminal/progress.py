"""The bar of a class that is being graded: how many, how fast, how long still."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from reports.words import say


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(say("progress.rate", rate=f"{speed:.1f}") if speed else "")


def class_progress(console: Console) -> Progress:
    """A bar with done of all, rate and remaining time."""
    return Progress(BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), console=console)
