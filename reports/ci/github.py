"""GitHub Actions: annotations, the log between stop-commands, and the step summary.

The bounds are those of the runner (`actions/runner`: ExecutionContext.cs, FileCommandManager.cs): ten annotations of
each kind for a step, 4,096 characters each, and a summary of 1,048,576 bytes, of which a longer one is dropped whole.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from reports.ci.findings import Base, Finding, findings, more
from reports.text import line, short_points, without_commands
from reports.words import say

MOST_OF_A_KIND = 10
SUMMARY_BYTES = 1_000_000

_LEVELS = {"lost": "error", "stopped": "error", "partial": "warning", "not_run": "warning", "ungraded": "warning"}
_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#+\-!|~:$=@^]|(?<=[wW]{3})\.")


def workflow_commands(record: dict[str, Any], base: Base) -> str:
    """The annotations, one a line: at most ten errors, ten warnings and ten notices, the first to mend first."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for group in _alike(found for found in findings(record, base) if found.kind != "passed"):
        kinds[_LEVELS.get(group[0].kind, "notice")].append(_annotation(group, base))
    told = {"points": short_points(record["points"]), "max": short_points(record["max_points"])}
    heading = say("ci.heading", course=line(record["course"]["name"]), **told)
    total = _command("notice", {"title": say("ci.total_title")}, heading)
    kinds["notice"].insert(0, total)
    commands = []
    for level, of_level in kinds.items():
        over = len(of_level) - MOST_OF_A_KIND + 1 if len(of_level) > MOST_OF_A_KIND else 0
        commands += of_level[: len(of_level) - over]
        if over:
            commands.append(_command(level, {"title": say("ci.more", count=more(over))}, say("ci.more_told")))
    return "".join(f"{command}\n" for command in commands)


def around(token: str) -> tuple[str, str]:
    """What is printed before and after text that may hold commands of strangers; nobody else may know the token."""
    return f"::stop-commands::{token}\n", f"::{token}::\n"


def summary(record: dict[str, Any], base: Base, most: int = SUMMARY_BYTES) -> bytes:
    """The step summary in Markdown, cut between two checks where it would be longer than `most` bytes."""
    cut = f"\n{say('ci.cut')}\n"
    room = most - len(cut.encode())
    parts: list[str] = []
    for part in _summary(record, base):
        room -= len(part.encode())
        if room < 0:
            return "".join([*parts, cut]).encode()
        parts.append(part)
    return "".join(parts).encode()


def _summary(record: dict[str, Any], base: Base) -> Iterator[str]:
    told = {"points": short_points(record["points"]), "max": short_points(record["max_points"])}
    yield f"### {_plain(say('ci.heading', course=line(record['course']['name']), **told))}\n\n"
    columns = [say(f"ci.column_{name}") for name in ("verdict", "check", "points")]
    yield f"| {' | '.join(columns)} |\n|---|---|--:|\n"
    found = list(findings(record, base))
    for one in found:
        yield f"| {_plain(f'{one.sign} {one.verdict}'.strip())} | {_plain(one.title)} | {_plain(one.amount)} |\n"
    groups = _alike(one for one in found if one.message)
    if not groups:
        return
    yield f"\n<details open><summary>{say('ci.details')}</summary>\n"
    for group in groups:
        place = f"{group[0].path}:{group[0].line}" if group[0].line else group[0].path
        yield f"\n**{_plain(_title(group))}** ({_plain(place)})<br>\n{_plain(group[0].message)}\n"
    yield "\n</details>\n"


def _alike(found: Iterable[Finding]) -> list[list[Finding]]:
    """Checks that say the same of the same place together; what to mend first comes first, then what costs most."""
    groups: dict[tuple[str, str, int, str], list[Finding]] = defaultdict(list)
    for one in found:
        groups[one.kind, one.path, one.line, one.message].append(one)
    for group in groups.values():
        group.sort(key=lambda one: not one.first)
    return sorted(groups.values(), key=lambda group: (not group[0].first, -sum(o.max_points - o.points for o in group)))


def _title(group: list[Finding]) -> str:
    title = say("ci.points", title=group[0].title, points=short_points(sum(one.points for one in group)),
                max=short_points(sum(one.max_points for one in group)))  # fmt: skip
    return title if len(group) == 1 else say("ci.and_more", title=title, count=more(len(group) - 1))


def _annotation(group: list[Finding], base: Base) -> str:
    first = group[0]
    place = {} if base.folder is None else {"file": first.path}
    if place and first.line:
        place |= {"line": str(first.line), "endLine": str(first.line)}
    return _command(_LEVELS.get(first.kind, "notice"), {**place, "title": _title(group)}, first.message)


def _command(level: str, properties: dict[str, str], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {told}::{_data(message)}"


def _data(text: str) -> str:
    return without_commands(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """Text of strangers in Markdown: letters and signs, never structure, HTML or a link. A line feed is `<br>`."""
    escaped = _MARKDOWN.sub(lambda found: "".join(f"&#{ord(char)};" for char in found[0]), text)
    kept = re.split(r"(&#\d+;)", escaped)
    shown = "".join(part if at % 2 else html.escape(part, quote=False) for at, part in enumerate(kept))
    return shown.replace("\n", "<br>")
