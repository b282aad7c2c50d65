"""A small run as one matrix: every labelled row and its score, for comparators that look at all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret import _core
from noregret.errors import BadInput
from noregret.game.play import first
from noregret.judging.learner_judge import Replayed, Settling
from noregret.ledger import Ledger
from noregret.rounds import Batch, Feature, Floats
from noregret.sample import Cells, joined


@dataclass(frozen=True)
class WholeRun:
    """Labelled rows over the columns of their features, the bias last where there is one."""

    rows: Any  # scipy csr_array, float64
    labels: Floats
    scores: Floats
    features: list[Feature]
    bias: bool

    def signed(self) -> Any:
        """The rows times their labels."""
        from scipy.sparse import diags_array

        return (diags_array(self.labels) @ self.rows).tocsr()

    def by_feature(self, u: Floats) -> dict[Any, float]:
        """Numbers by column as numbers by feature; that of a bias has the key None."""
        keys: list[Any] = [*self.features, None] if self.bias else list(self.features)
        return dict(zip(keys, u.tolist(), strict=False))


def whole_run(ledger: Ledger, values: int) -> WholeRun:
    """Play a run again and lay it out; one with more values than `values` is refused."""
    from scipy.sparse import csr_array, hstack

    if ledger.nature is None or ledger.start is None or hasattr(ledger.start, "evidence"):
        raise BadInput("hindsight looks at the rounds of a linear learner, and this run has kept none")
    judge, settling, columns = Replayed(ledger), Settling(), _core.FeatureColumns()
    parts: list[tuple[Cells, Floats, Floats]] = []

    def take(batch: Batch, said: Any, _: Any) -> None:
        wanted = ~np.isnan(batch.labels) & ~np.isnan(said.predictions)
        cells = columns.lay(batch.matrix(), wanted.view(np.uint8))
        parts.append((cells, batch.labels[wanted], said.scores[wanted]))
        if sum(len(one[0][0]) for one in parts) > values:
            raise BadInput(f"hindsight looks at data of at most {values:,} values, and this has more")

    for batch in first(ledger.nature, ledger.limit):
        for settled in settling.settled(batch, judge.play(batch)):
            take(*settled)
    judge.finish()
    for settled in settling.rest():
        take(*settled)
    numbers, places, starts = joined([cells for cells, _, _ in parts])
    bias = bool(getattr(ledger.start, "has_bias", False))
    width = len(columns) if bias else max(len(columns), 1)
    rows: Any = csr_array((numbers, places, starts), shape=(len(starts) - 1, width))
    if bias:
        rows = hstack([rows, np.ones((rows.shape[0], 1))], format="csr")
    labels, scores = (np.concatenate([np.empty(0), *(one[k] for one in parts)]) for k in (1, 2))
    return WholeRun(rows, labels, scores, columns.features, bias)
