"""How the members of a panel play: each by itself, or many of one rule side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from noregret import _core
from noregret.rounds import Example, Floats


class Band(Protocol):
    """Some members of a panel, which predict and learn together."""

    @property
    def members(self) -> Sequence[Any]:
        """The members as learners of their own, as they stand."""
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
        self.members = [member]
        self.member = member

    def clone(self) -> Solo:
        """Copy the member."""
        return Solo(self.member.clone())

    def predict(self, x: Example) -> list[float]:
        """Ask it."""
        return [float(self.member.predict(x))]

    def rehearse(self, x: Example, y: float, weight: float) -> None:
        """Rehearse, if the member can."""
        if hasattr(self.member, "rehearse"):
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


def arranged(members: Sequence[Any]) -> list[Band]:
    """Put members into bands; their order, band after band, is the order given."""
    return [Solo(member) for member in members]
