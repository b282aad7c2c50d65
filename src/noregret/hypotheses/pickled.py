"""Version spaces as plain data, so that pickle, and so multiprocessing, can carry what holds them."""

from __future__ import annotations

from noregret import _core


def labels_of(space: _core.VersionSpace, points: int) -> list[tuple[int, bool]]:
    """Say a version space as labels: where all that are left say the same, that is what was learned."""
    if space.size == 0:
        return [(0, False), (0, True)]
    ones = [(point, space.ones(point)) for point in range(points)]
    return [(point, count > 0) for point, count in ones if count in (0, space.size)]


def space_of(core: _core.FiniteClass, labels: list[tuple[int, bool]]) -> _core.VersionSpace:
    """Make the version space of these labels."""
    space = _core.VersionSpace(core)
    for point, label in labels:
        space.restrict(point, label)
    return space
