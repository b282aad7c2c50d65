"""Looks over the shoulder of a duel and writes every round down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from noregret import _core
from noregret.rounds import Example, Nature, Round, Stream

EFFORT = 20_000  # version spaces: beyond them the dimension that is left is told as a range


@dataclass(frozen=True, slots=True)
class Seen:
    """One round: the point, the vote, the prediction, the label, and what is left afterwards."""

    t: int
    x: str
    vote: str
    predicted: int
    label: int
    left: int
    depth: str

    def as_json(self) -> dict[str, Any]:
        """Give the round as plain data."""
        return asdict(self)


class Observed:
    """A nature with somebody watching: the version space is kept from the labels alone."""

    def __init__(self, nature: Stream | Nature, learner: Any) -> None:
        """Watch `nature` play against `learner`."""
        self.rows: list[Seen] = []
        self._learner = learner
        self._class = learner.hypotheses
        self._space = _core.VersionSpace(self._class.core)
        self._search = _core.Search(self._class.core)
        self._nature = _OneByOne(nature) if isinstance(nature, Stream) else nature
        self._x: Example = None

    def pose(self) -> Example | None:
        """Pass the question on, and remember it."""
        self._x = self._nature.pose()
        return self._x

    def reveal(self, prediction: float) -> float | None:
        """Pass the answer on, and write the round down."""
        label = self._nature.reveal(prediction)
        if label is None:
            return None
        point = self._class.point(self._x)
        vote = f"p = {prediction:.3f}" if self._learner.randomised else self._learner.votes(point)
        predicted = int(self._learner.predict(self._x))
        self._space.restrict(point, label == 1.0)
        row = (vote, predicted, int(label), self._space.size, self._depth())
        self.rows.append(Seen(len(self.rows) + 1, self._class.point_name(point), *row))
        return label

    def _depth(self) -> str:
        lower, upper = self._search.littlestone(self._space, EFFORT, None)
        return str(lower) if lower == upper else f"{lower}–{upper}"


class _OneByOne:
    """A stream as a nature: it has made up its mind before it is asked."""

    def __init__(self, stream: Stream) -> None:
        self._rounds: Iterator[Round] = (now for batch in stream.batches() for now in batch.rounds())
        self._now: Round | None = None

    def pose(self) -> Example | None:
        self._now = next(self._rounds, None)
        return None if self._now is None else self._now.x

    def reveal(self, prediction: float) -> float | None:
        return None if self._now is None else self._now.y
