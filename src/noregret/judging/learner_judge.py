"""One learner of a judging pass: it plays its rounds again, and what its theorems need is added up."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Theorem
from noregret.errors import BadInput
from noregret.game.late_rounds import arrive
from noregret.game.play import play_batch
from noregret.game.said import Said
from noregret.judged import VIEWS, Block, Judged, RunTheorem, Witness
from noregret.judging.directions import Directions, Span
from noregret.ledger import Ledger
from noregret.margin_sums import Margins, Norms
from noregret.rounds import Batch, Floats
from noregret.sample import Cells, Sample, select

CHANGED = "the data is not what it was: "


class Rows(NamedTuple):
    """The labelled rows of a piece, laid out and measured once for all learners."""

    labelled: NDArray[np.bool_]
    cells: Cells
    squares: Floats
    peaks: Floats
    spans: Floats
    low: Floats
    high: Floats
    columns: int


class Replayed:
    """A learner that plays its rounds again, from what it was before the first one."""

    def __init__(self, ledger: Ledger) -> None:
        """Begin where the run began."""
        self.ledger = ledger
        self.learner = ledger.start.clone()
        self.again = Ledger(ledger.learner, skipping=ledger.skipping)

    def play(self, batch: Batch) -> Said:
        """Play a batch; labels that come late arrive in a later one."""
        said = Said(len(batch))
        play_batch(batch, self.learner, self.again, said)
        return said

    def finish(self) -> None:
        """Let the last labels arrive; refuse a source that has changed since the run."""
        arrive(self.learner, self.again, 0)
        then, now = self.ledger, self.again
        if (now.rounds, now.mistakes) != (then.rounds, then.mistakes):
            raise BadInput(
                f"{CHANGED}{now.mistakes:,} mistakes in {now.rounds:,} rounds when played again, "
                f"{then.mistakes:,} in {then.rounds:,} before"
            )
        if now.loss != then.loss and not (math.isnan(now.loss) and math.isnan(then.loss)):
            raise BadInput(f"{CHANGED}a loss of {now.loss:.10g} when played again, {then.loss:.10g} before")
        if _numbers(self.learner) != _numbers(then.final):
            raise BadInput(f"{CHANGED}the same mistakes and loss, and other weights")


def _numbers(learner: Any) -> Any:
    """The running numbers of a learner, among them ‖w‖²: equal after equal runs."""
    scalars = getattr(learner, "scalars", {})
    return {key: repr(value) for key, value in scalars.items()} if isinstance(scalars, dict) else {}


class LearnerJudge(Replayed):
    """A learner over features: norms, margins of witnesses, meters."""

    def __init__(self, ledger: Ledger, theorems: Sequence[Theorem]) -> None:
        """Make room for what the theorems need."""
        super().__init__(ledger)
        self.theorems = theorems
        final = ledger.final
        before = list(getattr(ledger.start, "classes", []))
        classes = list(getattr(final, "classes", []))
        self.run = Judged(
            ledger,
            self.learner,
            dict(getattr(final, "parameters", {})),
            bool(getattr(final, "has_bias", False)),
            classes,
            len(classes) - len(before),
        )
        needed = [one for one in theorems if isinstance(one, RunTheorem)]
        self.views = sorted({"all"} | {view for one in needed for view in one.views})
        self.run.norms_by_view = {view: Norms() for view in self.views}
        self.run.meter_by_type = {kind: kind(self.run) for one in needed for kind in one.meters}
        self._spans: list[Span] = []

    def lay(self, sample: Sample) -> None:
        """Let meters that have rows of their own lay them out."""
        for meter in self.run.meter_by_type.values():
            meter.lay(sample)

    def use(self, witnesses: Sequence[Witness], directions: Directions) -> None:
        """Take the witnesses whose margins are wanted."""
        for place, witness in enumerate(witnesses):
            witness.place = place
            witness.margins_by_view = {view: Margins() for view in self.views}
        self.run.witnesses = list(witnesses)
        self._spans = [directions.place(witness, self.run.bias) for witness in witnesses]

    def add(self, batch: Batch, said: Said, rows: Rows) -> None:
        """Add the rounds of a piece that had a label and were not refused."""
        played = ~np.isnan(said.predictions[rows.labelled])
        labels, predictions = batch.labels[rows.labelled], said.predictions[rows.labelled]
        scores, cells = said.scores[rows.labelled], rows.cells
        squares, peaks, spans, low, high = rows.squares, rows.peaks, rows.spans, rows.low, rows.high
        if not played.all():
            labels, predictions, scores = labels[played], predictions[played], scores[played]
            squares, peaks, spans = squares[played], peaks[played], spans[played]
            low, high, cells = low[:, played], high[:, played], select(cells, played)
        mistaken = predictions != labels
        if self.run.bias:
            squares = np.where(
                np.floor(squares) == squares, squares + 1.0, (squares + 1.0) * (1.0 + 2.0**-52)
            )
            peaks, spans = np.maximum(peaks, 1.0), spans + 1.0
        if self.run.classes:
            labels = places(labels, batch.classes, self.run.classes)
            low, high = self._leads(labels, low, high)
        else:
            chosen = [span.begin for span in self._spans]
            low, high = low[chosen], high[chosen]
        block = Block(labels, scores, mistaken, squares, peaks, spans, low, high, cells, rows.columns)
        self.run.rounds += len(labels)
        self._add_views(block)
        for meter in self.run.meter_by_type.values():
            meter.add(block)

    def _add_views(self, block: Block) -> None:
        chosen = {}
        for name in self.views:
            view = VIEWS[name]
            mask = None if view.mask is None else view.mask(block)
            parts = (block.squares, block.peaks, block.spans)
            self.run.norms_by_view[name].add(*(parts if mask is None else (part[mask] for part in parts)))
            chosen[name] = (view, mask, None if view.weights is None else view.weights(block))
        if self.ledger.task == "regression":
            norms = self.run.norms_by_view["all"]
            norms.labels += float(np.sum(block.labels * block.labels))
            norms.label = max(norms.label, float(np.max(np.abs(block.labels), initial=0.0)))
            return
        several = bool(self.run.classes)
        for k, witness in enumerate(self.run.witnesses):
            margins = block.low[k] if several else np.where(block.labels > 0, block.low[k], -block.high[k])
            witness.doubt = max(witness.doubt, float(np.max(block.high[k] - block.low[k], initial=0.0)))
            for name, (view, mask, weights) in chosen.items():
                given = margins / np.sqrt(np.maximum(block.squares, 5e-324)) if view.unit else margins
                witness.margins_by_view[name].add(given, mask, weights)

    def _leads(self, labels: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """By how much the right class leads the best other one, from below; with one class it counts as 1."""
        found = np.ones((len(self._spans), len(labels)))
        every, right = np.arange(len(labels)), labels.astype(np.int64)
        for k, span in enumerate(self._spans):
            if span.end - span.begin < 2 or not len(labels):
                continue
            own = low[span.begin : span.end][right, every]
            others = high[span.begin : span.end].copy()
            others[right, every] = -np.inf
            best = others.max(axis=0)
            lead = own - best
            whole = (np.floor(own) == own) & (np.floor(best) == best) & (np.abs(own) + np.abs(best) < 2.0**52)
            found[k] = np.where(whole, lead, lead - 2.0**-52 * (np.abs(own) + np.abs(best)))
        return found, found

    def finish(self) -> None:
        """Check the replay; extend the witnesses to all features."""
        super().finish()
        self.run.ledger.classes = self.run.ledger.classes or self.run.classes


class EvidenceJudge(Replayed):
    """A learner that gathers its own evidence, such as one over a finite class."""

    def __init__(self, ledger: Ledger) -> None:
        """Begin where the run began."""
        super().__init__(ledger)
        self.evidence = self.learner.evidence()

    def add(self, batch: Batch, said: Said) -> None:
        """Hand over the rounds of a piece."""
        self.evidence.add(batch, said.predictions, said.scores)

    def close(self) -> Any:
        """What its theorems look at."""
        self.finish()
        return self.evidence.close(self.ledger, self.learner)


class Settling:
    """Holds back pieces whose labels come late until these have arrived, each with what belongs to it."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: deque[tuple[Batch, Said, Any]] = deque()
        self._behind = 0  # rounds in the pieces that wait

    def settled(self, batch: Batch, said: Said, more: Any = None) -> list[tuple[Batch, Said, Any]]:
        """Take a piece; give those of which every label has arrived."""
        if not batch.lag and not self._waiting:
            return [(batch, said, more)]
        self._waiting.append((batch, said, more))
        self._behind += len(batch)
        found = []
        while self._waiting and self._behind - len(self._waiting[0][0]) >= self._waiting[0][0].lag:
            found.append(self._waiting.popleft())
            self._behind -= len(found[-1][0])
        return found

    def rest(self) -> list[tuple[Batch, Said, Any]]:
        """Give what still waits, when all labels have arrived."""
        found, self._waiting = list(self._waiting), deque()
        return found


def places(labels: Floats, meanings: Sequence[Any] | None, classes: Sequence[Any]) -> Floats:
    """Labels as they are, or as places in the list of the learner's classes."""
    if not classes:
        return labels
    known = {one: float(place) for place, one in enumerate(classes)}
    values, place = np.unique(labels, return_inverse=True)
    occurring = values.tolist() if meanings is None else [meanings[int(one)] for one in values]
    if unknown := [one for one in occurring if one not in known]:
        raise BadInput(f"{CHANGED}there was no class {unknown[0]!r} in the run")
    return np.array([known[one] for one in occurring], dtype=np.float64)[place]
