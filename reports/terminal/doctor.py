"""An examination of this machine (`grade doctor`) in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.text import line
from reports.words import say

if TYPE_CHECKING:
    from rich.console import Console


def show(examination: dict[str, Any], layers: dict[str, dict[str, str]], console: Console) -> None:
    """Print the examination: first what it comes to, then each layer, the missing ones with reason and remedy."""
    from rich.table import Table
    from rich.text import Text

    found, missing = examination["confinement"]["layers"], examination["confinement"]["missing"]
    level = examination["level"]
    console.print(Text(say(f"doctor.{level}"), style="bold"))
    about = {name: line(examination[name]) for name in ("system", "user", "python", "torch")}
    console.print(Text(say("doctor.about", **about, ms=examination["worker_ms"]), style="dim"))
    if examination["trouble"]:
        console.print(Text(line(examination["trouble"], 1000), style="red"))
    table = Table(box=None, padding=(0, 1), show_header=False)
    there, not_there = Text(say("doctor.there"), style="green"), Text(say("doctor.not_there"), style="red")
    for name in found:
        table.add_row(there, layers[name]["title"], Text(layers[name]["stops"], style="dim"))
    for reason in dict.fromkeys(missing.values()):
        titles = [layer["title"] for name, layer in layers.items() if missing.get(name) == reason]
        table.add_row(not_there, "\n".join(titles), say("doctor.missing", reason=line(reason)))
    console.print(table)
    for name in missing:
        if remedy := layers[name]["remedy"]:
            words = say("doctor.remedy", title=layers[name]["title"], remedy=remedy)
            console.print(Text(words), soft_wrap=True)  # a command in it can be copied
