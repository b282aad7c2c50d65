"""What the judging pass leaves for the theorems of a run: norms, margins of witnesses, sums over them.

The pass (`noregret.judging`) reads the rows once more and adds up; a theorem computes its two numbers from
the sums. Every sum is rounded towards the weaker statement, and exact where the numbers are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from noregret.certificate import Certificate
from noregret.ledger import Ledger
from noregret.margin_sums import EPSILON, Margins, Mask, Norms, Total
from noregret.rounds import Feature, Floats
from noregret.sample import Cells, Sample


class Block(NamedTuple):
    """Labelled rounds of one learner, as many as are looked at in one go."""

    labels: Floats  # −1 and +1, places of classes, or numbers
    scores: Floats
    mistaken: Mask
    squares: Floats  # ‖x‖², rounded up; with the bias
    peaks: Floats  # max |xᵢ|
    spans: Floats  # max(0, xᵢ) − min(0, xᵢ)
    low: Floats  # witnesses × rounds: ⟨u, x⟩ rounded down; of classes the lead of the right one
    high: Floats
    cells: Cells
    columns: int  # of the layout so far


class View(NamedTuple):
    """Some of the rounds, each with a weight, the margins perhaps divided by the length of the row."""

    mask: Callable[[Block], Mask] | None = None
    weights: Callable[[Block], Floats] | None = None
    unit: bool = False


VIEWS: dict[str, View] = {
    "all": View(),
    "mistakes": View(lambda block: block.mistaken),
    "below one": View(lambda block: np.asarray(block.labels * block.scores < 1.0)),
    "positives": View(lambda block: block.labels > 0),
    "negatives": View(lambda block: block.labels < 0),
    "unit rows": View(unit=True),
    "by length": View(
        # Square lengths are rounded up, by more than one part in 10¹² where a row has thousands of features.
        weights=lambda block: (1.0 + 1e-9) / np.maximum(block.squares, 1e-300)
    ),
}


class Meter:
    """Sums that only some theorems ask for. One is made for each run, before the pass."""

    samples: ClassVar[bool] = False  # whether it looks at the sample of the rows

    def __init__(self, run: Judged) -> None:
        """Start with nothing added up."""
        self.run = run

    def lay(self, sample: Sample) -> None:
        """Lay out rows of its own over the columns of the sample, before the pass."""

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        raise NotImplementedError


class RunTheorem:
    """A theorem about a run that the judging pass adds up for.

    `views` and `meters` say what it needs; `certify` computes what was observed and the bound from that.
    """

    name: str = ""
    statement: str = ""
    source: str = ""
    about: str = "mistakes"
    comparator: str | None = "separator"
    views: ClassVar[tuple[str, ...]] = ("all",)
    meters: ClassVar[tuple[type[Meter], ...]] = ()
    family: ClassVar[str] = (
        ""  # of theorems about the same quantity, of which the one with the least bound is shown
    )

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold the theorem against a run, with a witness."""
        raise NotImplementedError

    def trivial(self, run: Judged) -> float | None:
        """A value of the bound that says nothing: a mistake in every round, or the loss of u = 0."""
        return float(run.rounds)


@dataclass
class Witness:
    """A direction u found in hindsight, and its margins in the run that was judged."""

    known: Floats  # by column of the layout, the bias last where there is one; a row for each class
    rest: float = 0.0  # the weight of columns that were not known when it was made
    margins_by_view: dict[str, Margins] = field(default_factory=dict)
    place: int = 0  # among the witnesses of the run
    u: Floats = field(default_factory=lambda: np.empty(0))  # over all columns; known after the pass
    cuts: Floats | None = None  # thresholds between ranks that go with it
    length: float = 1.0  # what a theorem multiplied it by to make its bound least
    doubt: float = 0.0  # how far apart the two roundings of a ⟨u, x⟩ were, at most

    def margins(self, view: str = "all") -> Margins:
        """Its margins over a view."""
        return self.margins_by_view[view]

    @property
    def is_zero(self) -> bool:
        """Whether it is the direction 0."""
        return not np.any(self.u)

    @cached_property
    def square(self) -> Fraction:
        """‖u‖², rounded up; exact for whole numbers."""
        total, flat = Total(), self.u.ravel()
        whole = bool(np.all(np.floor(flat) == flat))
        total.add(flat * flat if whole else flat * flat * (1.0 + EPSILON))
        return total.above()

    def settle(self, columns: int, bias: bool) -> None:
        """Extend it to all columns of the layout."""
        parts = [self._settled(part, columns, bias) for part in np.atleast_2d(self.known)]
        self.u = np.array(parts) if self.known.ndim == 2 else parts[0]

    def _settled(self, part: Floats, columns: int, bias: bool) -> Floats:
        features, last = (part[:-1], part[-1:]) if bias else (part, part[:0])
        more = np.full(max(columns - len(features), 0), self.rest)
        return np.concatenate([features, more, last])


@dataclass
class Judged:
    """A run that was judged: what theorems look at."""

    ledger: Ledger
    learner: Any  # as it was after the last round
    parameters: dict[str, Any]
    bias: bool
    classes: Sequence[Any] = ()
    unannounced: int = 0  # classes that joined during the run
    features: list[Feature] = field(default_factory=list)
    rounds: int = 0  # labelled ones
    norms_by_view: dict[str, Norms] = field(default_factory=dict)
    meter_by_type: dict[type[Meter], Meter] = field(default_factory=dict)
    witnesses: list[Witness] = field(default_factory=list)

    def norms(self, view: str = "all") -> Norms:
        """The lengths of the rows of a view."""
        return self.norms_by_view[view]

    def meter(self, kind: type[Any]) -> Any:
        """The sums of a meter."""
        return self.meter_by_type[kind]

    @property
    def mistakes(self) -> int:
        """How many mistakes the run had."""
        return self.ledger.mistakes

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the rule after the last round."""
        return dict(getattr(self.learner, "scalars", {}))

    @property
    def width(self) -> int:
        """How many features occur; the bias is one."""
        return len(self.features) + self.bias

    def by_feature(self, u: Floats) -> dict[Any, Any]:
        """A direction by feature without its zeros; the bias has the key None. Each class has its own."""
        if u.ndim == 2:
            return {one: self.by_feature(part) for one, part in zip(self.classes, u, strict=True)}
        keys: list[Any] = [*self.features, None] if self.bias else list(self.features)
        return {key: value for key, value in zip(keys, u.tolist(), strict=True) if value != 0.0}
