"""What a worker gives up before the first byte of a student is read: one file per layer, each independent.

`lock_down` is irreversible and needs a single-threaded process. The order matters: descriptors first, so that nothing
that is open survives; limits last, so that the other layers are not starved by them.
"""

from __future__ import annotations

from typing import Any

from . import descriptors, environment, privileges, rlimits

LAYERS = ("descriptors", "environment", "folder", "no_new_privs", "not_dumpable", "parent_death", "rlimits")


def lock_down(settings: dict[str, Any], mapped: rlimits.Mapped, keep: tuple[int, ...]) -> None:
    """Apply every layer to this process.

    `settings` holds the numbers of `grader.model.limits.Limits` and `folder`, the private working folder; `mapped` is
    what the process had mapped when it was forked; `keep` are the descriptors that stay open beside 0, 1 and 2.
    """
    descriptors.close_all_but(keep)
    environment.rebuild(settings["folder"])
    privileges.give_up()
    rlimits.apply(settings, mapped)
