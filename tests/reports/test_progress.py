"""The bar says how many are done and, once it is known, how fast."""

import io

from rich.console import Console

from reports.terminal.progress import class_progress


def test_done_of_all_and_the_rate_are_told():
    terminal = io.StringIO()
    times = iter(range(100))
    with class_progress(Console(file=terminal, force_terminal=True, width=100)) as bar:
        bar.get_time = lambda: float(next(times))
        task = bar.add_task("", total=4)
        for _ in range(3):
            bar.advance(task)

    assert "3/4" in terminal.getvalue()
    assert "a second" in terminal.getvalue()
