"""What came of a conversion: a fixed predictor, and what is promised of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from noregret.conversion.predictor import BatchPredictor
from noregret.rounds import Batch, Feature, Floats

METHOD_NAMES = ("average", "voted", "last", "random", "survivor", "penalised")


@dataclass(frozen=True)
class RiskBound:
    """Upper bound on the risk, valid with probability 1 − δ.

    It bounds the risk of this predictor if `proved`, else the mean risk of all the hypotheses of the run.
    `value` is None where nothing is promised; `statement` then has the reason. The bounds of all `learners`
    that were converted together hold at once with probability 1 − δ: each is computed with δ/learners.
    """

    value: float | None
    proved: bool
    statement: str
    delta: float
    rounds: int
    mistakes: int
    learners: int = 1

    @property
    def heading(self) -> str:
        """What `value` is."""
        return "risk at most" if self.proved or self.value is None else "mean risk at most"


@dataclass(frozen=True)
class Conversion:
    """A predictor made of a run, what is promised of it, and what was observed where test data were given."""

    learner: str
    method: str
    predictor: BatchPredictor
    bound: RiskBound
    rows: int | None = None  # of the test data
    errors: int | None = None
    task: ClassVar[str] = "binary"

    @property
    def spec(self) -> str:
        """The one-line name: it is no learner, and no spec makes it."""
        return f"{self.method} of {self.learner}"

    @property
    def observed(self) -> float | None:
        """The share of the test rows that were predicted wrongly."""
        return None if self.errors is None or self.rows is None else self.errors / max(self.rows, 1)

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights by feature, of a single hypothesis."""
        return self.predictor.weights

    @property
    def initial_weight(self) -> float:
        """The weight of a feature that was never met, of a single hypothesis."""
        return float(self.predictor.matrix[0, -1])

    def predict(self, x: Any) -> Any:
        """Predict one example, or every row of a matrix."""
        return self.predictor.predict(x)

    def score(self, x: Any) -> Any:
        """The number whose sign is the prediction."""
        return self.predictor.score(x)

    def predict_batch(self, batch: Batch) -> tuple[Floats, Floats]:
        """Predictions and scores for every row of a batch."""
        return self.predictor.predict_batch(batch)

    def as_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "learner": self.learner,
            "method": self.method,
            "bound": self.bound.value,
            "proved": self.bound.proved,
            "delta": self.bound.delta,
            "learners": self.bound.learners,
            "statement": self.bound.statement,
            "rows": self.rows,
            "observed": self.observed,
        }
