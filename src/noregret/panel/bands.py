"""How the members of a panel play: each by itself, or many of one rule side by side."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from itertools import groupby
from typing import Any, Protocol

from noregret import _core
from noregret.game.loops import has_loop
from noregret.linear.learner import LinearLearner
from noregret.rounds import Example, Floats


class Band(Protocol):
    """Some members of a panel, which predict and learn together."""

    rehearses: bool  # whether it can tell beforehand what it will refuse

    @property
    def specs(self) -> Sequence[str]:
        """The specs of the members."""
        ...

    @property
    def native(self) -> bool:
        """Whether it can play a matrix."""
        ...

    @property
    def counts_zeros(self) -> bool:
        """Whether a 0 that is given is another thing than a feature that is absent, to one of the members."""
        ...

    @property
    def is_fresh(self) -> bool:
        """Whether none of the members has learned anything yet."""
        ...

    def members(self) -> Sequence[Any]:
        """Give the members as learners of their own, as they stand; what they learn is not heard of here."""
        ...

    def clone(self) -> Band:
        """Make a copy that shares nothing."""
        ...

    def predict(self, x: Example) -> list[float]:
        """Say what each member says. Changes nothing."""
        ...

    def rehearse(self, x: Example, y: float, weight: float) -> None:
        """Raise what learn would raise, and change nothing."""
        ...

    def learn(self, x: Example, y: float, weight: float) -> None:
        """Teach every member."""
        ...

    def play(self, matrix: _core.Matrix, labels: Floats, weights: Floats | None, said: Floats) -> None:
        """Predict, then learn, row after row; `said` has a row for each member."""
        ...

    def predict_rows(self, matrix: _core.Matrix, said: Floats) -> None:
        """Predict every row and learn nothing."""
        ...


class Solo:
    """One member that plays by itself: any learner at all."""

    def __init__(self, member: Any) -> None:
        """Take the member."""
        self.member = member
        self.specs = [str(member.spec)]
        self.native = has_loop(member, "play_matrix")
        self.rehearses = has_loop(member, "rehearse")

    @property
    def counts_zeros(self) -> bool:
        """Whether the member says so."""
        return bool(getattr(self.member, "counts_zeros", False))

    @property
    def is_fresh(self) -> bool:
        """Whether the member says so; one that cannot say is taken for fresh."""
        return bool(getattr(self.member, "is_fresh", True))

    def members(self) -> list[Any]:
        """Give a copy of the member."""
        return [copy_of(self.member)]

    def clone(self) -> Solo:
        """Copy the member."""
        return Solo(copy_of(self.member))

    def predict(self, x: Example) -> list[float]:
        """Ask it."""
        return [float(self.member.predict(x))]

    def rehearse(self, x: Example, y: float, weight: float) -> None:
        """Let it rehearse."""
        self.member.rehearse(x, y, weight)

    def learn(self, x: Example, y: float, weight: float) -> None:
        """Teach it."""
        self.member.learn(x, y, weight=weight)

    def play(self, matrix: _core.Matrix, labels: Floats, weights: Floats | None, said: Floats) -> None:
        """Play in the member's own loop."""
        self.member.play_matrix(matrix, labels, weights, _core.Tally(), said[0], None)

    def predict_rows(self, matrix: _core.Matrix, said: Floats) -> None:
        """Ask it row after row."""
        self.member.score_matrix(matrix, said[0], None)


class Choir:
    """Members of one native rule, side by side: an example's features are read once for all of them."""

    native = True
    rehearses = True

    def __init__(self, members: Sequence[LinearLearner], group: _core.Group) -> None:
        """Take the members as they were, and the group that has their numbers."""
        self._before = members
        self._group = group
        self.specs = [member.spec for member in members]

    @property
    def counts_zeros(self) -> bool:
        """Whether one of the members says so."""
        return any(member.counts_zeros for member in self._before)

    @property
    def is_fresh(self) -> bool:
        """Whether none of the members has learned a round."""
        return not any(rounds != 0 for rounds in self._group.rounds_learned)

    def members(self) -> list[LinearLearner]:
        """Make learners of the members."""
        made = [type(member)(**member.parameters) for member in self._before]
        for k, member in enumerate(made):
            self._group.write(k, member)
        return made

    def clone(self) -> Choir:
        """Copy the group."""
        return Choir(self._before, self._group.clone())

    def predict(self, x: Example) -> list[float]:
        """Ask all of them."""
        return self._group.predict(x)

    def rehearse(self, x: Example, y: float, weight: float) -> None:
        """Learn, and take it back."""
        self._group.rehearse(x, y, weight)

    def learn(self, x: Example, y: float, weight: float) -> None:
        """Teach all of them."""
        self._group.learn(x, y, weight)

    def play(self, matrix: _core.Matrix, labels: Floats, weights: Floats | None, said: Floats) -> None:
        """Play side by side."""
        self._group.play(matrix, labels, weights, said.reshape(-1))

    def predict_rows(self, matrix: _core.Matrix, said: Floats) -> None:
        """Ask all of them, row after row."""
        self._group.predict_rows(matrix, said.reshape(-1))


def copy_of(member: Any) -> Any:
    """Copy a learner, as it wants to be copied if it says so."""
    return member.clone() if hasattr(member, "clone") else deepcopy(member)


def teach(bands: list[Band], x: Example, y: float, weight: float) -> None:
    """Teach every band, or none: who can rehearses; who cannot learns first, and is put back if need be."""
    ready = [band for band in bands if band.rehearses]
    bold = [k for k, band in enumerate(bands) if not band.rehearses]
    if len(bands) > 1:
        for band in ready:
            band.rehearse(x, y, weight)
    before = {k: bands[k].clone() for k in bold[:-1]}  # behind the last one nobody refuses
    try:
        for k in bold:
            bands[k].learn(x, y, weight)
    except Exception:
        for k, band in before.items():
            bands[k] = band
        raise
    for band in ready:
        band.learn(x, y, weight)


def arranged(members: Sequence[Any]) -> list[Band]:
    """Put neighbours that can stand side by side into one band; the order stays the order given."""
    bands: list[Band] = []
    for _, group in groupby(members, key=_kind):
        some = list(group)
        beside = _core.Group.of(some) if _gains(some) else None
        bands += [Solo(member) for member in some] if beside is None else [Choir(some, beside)]
    return bands


def _gains(members: Sequence[Any]) -> bool:
    """Whether a group of them is faster: of several, or where rows are scaled, which goes by vectors too."""
    first = members[0]
    if not isinstance(first, LinearLearner) or not has_loop(first, "play_matrix"):
        return False
    return len(members) > 1 or members[0].scale != "none"


def _kind(member: Any) -> Any:
    """What members must have in common; the core asks for more."""
    return (type(member), member.has_bias, member.scale) if isinstance(member, LinearLearner) else id(member)
