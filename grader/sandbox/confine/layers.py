"""What a worker gives up before the first byte of a student is read: one file per layer, each independent.

`lock_down` is irreversible and needs a single-threaded process. The order matters: mounts while there are rights, the
user before the signal that a change of user forgets, Landlock and seccomp after `no_new_privs`, seccomp last, since it
refuses what the others need. `rehearse` does the same in a throw-away process and says what does not work here.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Collection
from typing import NamedTuple

from . import descriptors, environment, identity, landlock, namespaces, privileges, readable, rlimits, seccomp
from .place import Place

NOT_CONTAINED = "needs namespaces"
SWITCHED_OFF = "switched off"
NOT_ENFORCED = "it was accepted, and does nothing"


class Layer(NamedTuple):
    """`apply` puts it in force; `holds` then tries what it should refuse, and is true when that was refused."""

    name: str
    apply: Callable[[Place], None]
    holds: Callable[[], bool] = lambda: True


def refused(attempt: Callable[[], object]) -> Callable[[], bool]:
    """Whether the kernel says no."""

    def was_refused() -> bool:
        try:
            attempt()
        except PermissionError:
            return True
        return False

    return was_refused


def _own_folder(place: Place) -> None:
    if not place.contained:
        raise OSError(NOT_CONTAINED)
    namespaces.private_home(place.settings["folder_mib"], place.settings["folder_files"], place.user)


def _own_tree(place: Place) -> None:
    if os.getpid() != 1:
        raise OSError(NOT_CONTAINED)


def _unused_user(place: Place) -> None:
    if place.user is None:
        return
    needed = readable.python()
    identity.become(place.user)
    identity.can_read(needed)


def _files(place: Place) -> None:
    rules = [(path, landlock.READ) for path in (*readable.paths(), *readable.DEVICES)]
    landlock.restrict([*rules, ("/dev/null", landlock.WRITE_FILE), (place.folder, landlock.READ | landlock.WRITE)])


LAYERS = (
    Layer("process_tree", _own_tree),
    Layer("folder_quota", _own_folder),
    Layer("killed_first", lambda place: privileges.go_first(place.proc)),
    Layer("descriptors", lambda place: descriptors.close_all_but(place.keep)),
    Layer("environment", lambda place: environment.rebuild(place.folder)),
    Layer("unused_user", _unused_user),
    Layer("capabilities", lambda _: identity.drop_capabilities(), refused(lambda: os.chroot("/"))),
    Layer("no_new_privs", lambda _: privileges.no_new_privileges()),
    Layer("not_dumpable", lambda _: privileges.not_dumpable()),
    Layer("parent_death", lambda _: privileges.die_with_parent()),
    Layer("landlock", _files, refused(lambda: os.listdir("/"))),
    Layer("rlimits", lambda place: rlimits.apply(place.settings, place.mapped, own_user=place.user is not None)),
    Layer("seccomp", lambda _: seccomp.install(seccomp.program(os.getpid())), refused(socket.socket)),
)


def warm_up() -> None:
    """Compute once, in the ancestor of all workers, what each of them would compute again."""
    readable.python()
    readable.paths()
    environment.standard_library()
    with contextlib.suppress(OSError):  # another kind of machine: the rehearsal will say so
        seccomp.program(1)


def lock_down(place: Place, without: Collection[str]) -> None:
    """Apply every layer but `without` to this process.

    Raises:
        OSError: one of them cannot be had; the process is not fit for a worker.
    """
    for layer in LAYERS:
        if layer.name not in without:
            layer.apply(place)


def rehearse(place: Place, without: Collection[str]) -> dict[str, str]:
    """Apply what works, in a process that will do nothing else; returns each other layer with its reason."""
    missing: dict[str, str] = {}
    for layer in LAYERS:
        try:
            if layer.name in without:
                raise OSError(SWITCHED_OFF)
            layer.apply(place)
            if not layer.holds():
                raise OSError(NOT_ENFORCED)
        except OSError as error:
            missing[layer.name] = error.strerror or str(error)
    return missing
