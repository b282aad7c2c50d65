"""What happened: the numbers of a run, and what it takes to play it again."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from noregret import _core, markup
from noregret.certificate import Theorem, counted
from noregret.errors import MOST_FAULTS, BadInput


@dataclass
class Ledger:
    """A run. Its size does not depend on the number of rounds.

    `loss` is the learner's own, `loss_name` says which; `curve` has at most 1,024 points
    (round, mistakes, loss), `potentials` the same rounds with the quantity the proof follows.
    """

    learner: str
    theorems: Sequence[Theorem] = ()
    loss_name: str = "zero-one"
    tally: _core.Tally = field(default_factory=_core.Tally)
    nature: Any = None  # can be played again, or is None
    start: Any = None  # the learner as it was before the first round
    final: Any = None  # and after the last one
    fresh: bool = True  # the learner had learned nothing before
    limit: int | None = None  # play no more rounds than these
    skipping: bool = False  # bad rows are passed over
    skipped: int = 0  # how many were
    faults: list[str] = field(default_factory=list, repr=False)  # what was wrong with the first few
    account: Any = None  # the quantities that the theorems ask for, of a learner that keeps them itself
    complete: bool = True
    lag: int = 0  # how many rounds late labels came, at most
    overtaken: int = 0  # Σ over the mistakes of the earlier mistakes not yet learned when it was made
    sample: Any = None  # labelled rows that were drawn while they were read, for the search of witnesses
    waiting: deque[Any] = field(default_factory=deque, repr=False)  # rounds whose label is on its way
    seconds: float = 0.0
    task: str = "binary"  # or multiclass, or regression
    classes: Sequence[Any] = ()  # of a multiclass learner, in the order in which they joined

    def pass_over(self, problem: BadInput) -> None:
        """Count a bad row that is passed over."""
        self.skipped += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(str(problem))

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return self.tally.rounds

    @property
    def labelled(self) -> int:
        """How many of them had a label."""
        return self.tally.rounds - self.tally.unlabelled

    @property
    def mistakes(self) -> int:
        """How many predictions were not the label. A prediction that is a number is never counted as one."""
        return self.tally.mistakes

    @property
    def mistake_rate(self) -> float:
        """Mistakes per labelled round; 0 when there was none."""
        return self.tally.mistakes / max(self.labelled, 1)

    @property
    def updates(self) -> int:
        """How many rounds changed the learner."""
        return self.tally.updates

    @property
    def loss(self) -> float:
        """The sum of the learner's own losses."""
        return self.tally.loss

    @property
    def positives(self) -> int:
        """How many labels were +1."""
        return self.tally.true_positives + self.tally.false_negatives

    @property
    def negatives(self) -> int:
        """How many labels were −1."""
        return self.labelled - self.positives

    @property
    def precision(self) -> float | None:
        """Of the rounds called +1, the share that was; None if none was called so.

        With several classes, the mean of that share over the classes that were ever called.
        """
        if self.task == "multiclass":
            return self._mean_share(1)
        called = self.tally.true_positives + self.tally.false_positives
        return self.tally.true_positives / called if called else None

    @property
    def recall(self) -> float | None:
        """Of the rounds that were +1, the share called so; None if none was.

        With several classes, the mean of that share over the classes that occurred.
        """
        if self.task == "multiclass":
            return self._mean_share(0)
        return self.tally.true_positives / self.positives if self.positives else None

    @property
    def auc(self) -> float | None:
        """The chance that a +1 scored above a −1 (scores within about 1% tie); None with one class."""
        area = self.tally.auc()
        return None if math.isnan(area) or self.task != "binary" else area

    @property
    def rmse(self) -> float | None:
        """The root of the mean squared error of predictions that are numbers."""
        if self.task != "regression" or self.labelled == 0:
            return None
        return math.sqrt(self.tally.squared / self.labelled)

    @property
    def mae(self) -> float | None:
        """The mean absolute error of predictions that are numbers."""
        return self.tally.absolute / self.labelled if self.task == "regression" and self.labelled else None

    @property
    def confusion(self) -> dict[Any, dict[Any, int]] | None:
        """How often each class was called what: by label, then by prediction. None beyond 256 classes."""
        counts = self.tally.confusion() if self.task == "multiclass" else None
        if counts is None:
            return None
        table: dict[Any, dict[Any, int]] = {}
        for label, said, count in counts:
            table.setdefault(self.classes[label], {})[self.classes[said]] = count
        return table

    def _mean_share(self, axis: int) -> float | None:
        """Of each class (axis 0: as label, 1: as prediction) the share that was right; their mean."""
        counts = self.tally.confusion()
        if counts is None:
            return None
        right: dict[int, int] = {}
        total: dict[int, int] = {}
        for pair in counts:
            total[pair[axis]] = total.get(pair[axis], 0) + pair[2]
            right[pair[axis]] = right.get(pair[axis], 0) + (pair[2] if pair[0] == pair[1] else 0)
        for place in range(len(self.classes)) if axis == 0 else ():
            if missed := self.tally.unsaid(place):
                total[place] = total.get(place, 0) + missed
                right.setdefault(place, 0)
        return sum(right[one] / total[one] for one in total) / len(total) if total else None

    @property
    def curve(self) -> list[tuple[int, int, float]]:
        """At most 1,024 points (round, mistakes so far, loss so far), the last round among them."""
        return [(t, mistakes, loss) for t, mistakes, loss, _ in self.tally.curve()]

    @property
    def potentials(self) -> list[tuple[int, float]]:
        """The quantity that the proof follows, at the rounds of the curve."""
        return [(t, potential) for t, _, _, potential in self.tally.curve()]

    @property
    def scores(self) -> list[tuple[float, int, int]]:
        """Scores to about 1%, in order: (score, how many labels −1, how many +1)."""
        found = self.tally.scores()
        if not hasattr(self.start, "unranked"):
            return found
        return [(self.start.unranked(odds), negative, positive) for odds, negative, positive in found]

    def plot(self) -> Any:
        """Draw the run: mistakes under their bound, as an Altair chart (`.save("run.svg")` writes it)."""
        import noregret

        return noregret.plot(self)

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        rows = [
            ("rounds", f"{self.rounds:,}"),
            ("mistakes", f"{self.mistakes:,} ({self.mistake_rate:.2%})"),
            ("updates", f"{self.updates:,}"),
            (f"{self.loss_name} loss", f"{self.loss:,.6g}"),
        ]
        return markup.table(self.learner, rows)

    def __repr__(self) -> str:
        """Say what happened in a line."""
        told = counted(self.mistakes, "mistake") if self.rmse is None else f"RMSE {self.rmse:.4g}"
        return f"<Ledger {self.learner}: {told} in {counted(self.rounds, 'round')}>"
