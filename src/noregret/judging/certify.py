"""Certify runs: one more reading of the rows evaluates all witnesses and theorems of all runs of a game."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from noregret import _core
from noregret.certificate import (
    Certificate,
    Hypothesis,
    Theorem,
    Verdict,
    conclude,
    counted,
    marked,
    shown,
)
from noregret.errors import BadInput, BadType
from noregret.experts.rule import ExpertRule
from noregret.experts.run import ExpertRun
from noregret.game.play import first
from noregret.judged import Judged, RunTheorem, Witness
from noregret.judging.directions import Directions
from noregret.judging.experts import certify_experts
from noregret.judging.finder import Finder, Found, as_witness
from noregret.judging.given import GivenWitness
from noregret.judging.learner_judge import EvidenceJudge, LearnerJudge, Replayed, Rows, Settling
from noregret.judging.witnesses import find_witnesses
from noregret.ledger import Ledger
from noregret.rounding import above
from noregret.rounds import Batch, Floats, Stream
from noregret.sample import Sample, needs_sample

SMALLEST, LARGEST = 1e-50, 1e50  # beyond, squares and their sums would leave the doubles
PIECE = 1 << 14  # rows that are looked at in one go


def _sample_of(
    stream: Stream, limit: int | None, columns: _core.FeatureColumns, whole: bool = False
) -> Sample:
    """Read a stream and draw its sample; `whole` takes every row."""
    most = 2**62
    sample = Sample(columns, most, most) if whole else Sample(columns)
    for batch in first(stream, limit):
        sample.add(batch)
    return sample


class Observer(Protocol):
    """Anything else that wants to see the rows of the judging pass."""

    def add(self, batch: Batch) -> None:
        """Look at the rows of a piece."""


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # a learner may have run away
def certify(
    ledger: Ledger | ExpertRule | ExpertRun, witness: Any = None, effort: str = "normal"
) -> list[Certificate]:
    """Hold a run against its theorems; `witness` is a target u by feature, or as an array.

    The rows are read once more, in blocks; memory does not grow with their number. Witnesses are searched
    for on a sample of at most 131,072 rows; `effort="thorough"` searches all of them. A rule over experts
    certifies all that it has played so far.

    >>> import numpy as np, noregret as nr
    >>> worst = nr.standard_basis(100)
    >>> [str(c) for c in nr.certify(nr.play(worst, nr.Perceptron()))][0]
    'Novikoff: HOLDS (100 ≤ 100)'
    """
    if isinstance(ledger, ExpertRule):
        return certify_experts(ledger.account(), ledger.theorems())
    if isinstance(ledger, ExpertRun):
        return certify_experts(ledger.account, ledger.theorems)
    if not isinstance(ledger, Ledger):
        raise BadType(f"certify takes the ledger that nr.play gives, not a {type(ledger).__name__}")
    return certify_all([ledger], witness, effort)[0]


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def certify_all(
    ledgers: Sequence[Ledger],
    witness: Any = None,
    effort: str = "normal",
    observers: Sequence[Observer] = (),
    progress: Callable[[Batch], None] | None = None,
) -> list[list[Certificate]]:
    """Certify all learners of one game in one pass; `observers` see the same rows."""
    if effort not in ("normal", "thorough"):
        raise BadInput(f"effort is {effort!r}; it must be normal or thorough")
    found: dict[int, list[Certificate]] = {}
    longest = max(range(len(ledgers)), key=lambda k: _rounds_read(ledgers[k]), default=0)
    for members in _games(ledgers):
        watching = observers if longest in members else ()
        judging = Judging([ledgers[k] for k in members], witness, effort)
        judging.run(watching, progress)
        found |= dict(zip(members, judging.certificates(), strict=True))
    return [found[k] for k in range(len(ledgers))]


def _rounds_read(ledger: Ledger) -> int:
    return ledger.rounds + ledger.skipped


def _games(ledgers: Sequence[Ledger]) -> list[list[int]]:
    """Runs over the same rows, by their places; a run that stopped before the others is a game of its own."""
    games: dict[tuple[int, int | None], list[int]] = {}
    for k, ledger in enumerate(ledgers):
        games.setdefault((id(ledger.nature), ledger.limit), []).append(k)
    return list(games.values())


class Judging:
    """The judging pass of one game."""

    def __init__(self, ledgers: Sequence[Ledger], witness: Any, effort: str) -> None:
        """Decide for each run what there is to do."""
        self.ledgers = ledgers
        self.done: dict[int, list[Certificate]] = {}
        self.judges: dict[int, Replayed] = {}
        self.given: dict[int, GivenWitness] = {}
        self.found: dict[tuple[int, str], Found] = {}
        self.broken: dict[int, str] = {}  # why a run could not be played again
        self.witness, self.effort = witness, effort
        for k, ledger in enumerate(ledgers):
            certificates = _without_replay(ledger)
            if certificates is not None:
                self.done[k] = certificates
            elif hasattr(ledger.start, "evidence"):
                self.judges[k] = EvidenceJudge(ledger)
            else:
                self.judges[k] = LearnerJudge(ledger, ledger.theorems)

    def run(self, observers: Sequence[Observer], progress: Callable[[Batch], None] | None) -> None:
        """Find witnesses, then read the rows once more."""
        linear = {k: judge for k, judge in self.judges.items() if isinstance(judge, LearnerJudge)}
        replayed = [self.ledgers[k] for k in self.judges]
        source = next(iter(replayed), self.ledgers[0] if self.ledgers else None)
        if source is None or source.nature is None or not (self.judges or observers):
            return
        columns = _core.FeatureColumns() if source.sample is None else source.sample.columns
        directions = Directions()
        try:
            if linear:
                sample = self._find(linear, source, columns)
        except (BadInput, OSError) as problem:
            if self.witness is not None:
                raise
            self.broken |= {k: str(problem) for k in self.judges}
            return
        for k, judge in linear.items():
            judge.lay(sample)
            judge.use(self._witnesses(k, judge.run), directions)
        directions.close()
        settling = {k: Settling() for k in self.judges}
        try:
            for batch in first(source.nature, source.limit):
                for begin in range(0, max(len(batch), 1), PIECE):
                    piece = batch.part(begin, min(begin + PIECE, len(batch)))
                    rows = _laid_out(piece, columns, directions) if self._over_features(linear) else None
                    self._play(piece, rows, settling)
                    for observer in observers:
                        observer.add(piece)
                if progress is not None:
                    progress(batch)
        except (BadInput, OSError) as problem:  # the source cannot be read as it was
            self.broken |= {k: str(problem) for k in self.judges if k not in self.broken}
        self._finish(settling)
        for k, judge in linear.items():
            if k not in self.broken:
                judge.run.features = columns.features
                for one in judge.run.witnesses:
                    one.settle(len(columns), judge.run.bias)

    def _over_features(self, linear: dict[int, LearnerJudge]) -> bool:
        return any(k not in self.broken for k in linear)

    def _play(self, piece: Batch, rows: Rows | None, settling: dict[int, Settling]) -> None:
        for k, judge in self.judges.items():
            if k in self.broken:
                continue
            try:
                for settled in settling[k].settled(piece, judge.play(piece), rows):
                    self._add(judge, *settled)
            except BadInput as problem:
                self.broken[k] = str(problem)

    def _finish(self, settling: dict[int, Settling]) -> None:
        for k, judge in self.judges.items():
            if k in self.broken:
                continue
            try:
                judge.finish()
                for settled in settling[k].rest():
                    self._add(judge, *settled)
            except BadInput as problem:
                self.broken[k] = str(problem)

    def _add(self, judge: Replayed, batch: Batch, said: Any, rows: Rows | None) -> None:
        if isinstance(judge, EvidenceJudge):
            judge.add(batch, said)
        elif isinstance(judge, LearnerJudge) and rows is not None:
            judge.add(batch, said, rows)

    # ---- witnesses -----------------------------------------------------------------------------

    def _find(self, linear: dict[int, LearnerJudge], source: Ledger, columns: Any) -> Sample:
        """Search for witnesses of every kind that a theorem asks for."""
        needed = any(needs_sample(theorem) for judge in linear.values() for theorem in judge.theorems)
        given = self.witness if self.witness is not None else getattr(source.nature, "witness", None)
        if given is not None and needed:
            for k, judge in linear.items():
                self.given[k] = GivenWitness(given, judge.run, columns)
        sample = Sample(columns)
        if source.sample is not None and self.effort == "normal":
            sample = source.sample
        elif needed and self.witness is None:
            sample = _sample_of(source.nature, source.limit, columns, self.effort == "thorough")
        finder = Finder(sample, self.effort)
        for k, judge in linear.items():
            for theorem in judge.theorems:
                kind = theorem.comparator
                if kind is None or (k, kind) in self.found:
                    continue
                self.found[k, kind] = (
                    find_witnesses(finder, kind, judge.run) if self.witness is None else Found()
                )
        return sample

    def _witnesses(self, k: int, run: Judged) -> list[Witness]:
        """The witnesses of a run, one after the other; `_of_kind` knows which are of which kind."""
        self._places: dict[tuple[int, str], list[int]] = getattr(self, "_places", {})
        all_of_run: list[Witness] = []
        if k in self.given:
            all_of_run.append(self.given[k].witness)
        for (owner, kind), found in self.found.items():
            if owner != k:
                continue
            places = [0] if k in self.given else []
            for place, direction in enumerate(found.directions):
                witness = as_witness(direction, found.rest)
                witness.cuts = found.cuts.get(place)
                places.append(len(all_of_run))
                all_of_run.append(witness)
            self._places[k, kind] = places
        return all_of_run

    # ---- certificates --------------------------------------------------------------------------

    def certificates(self) -> list[list[Certificate]]:
        """The certificates of every run, in the order of its theorems."""
        return [self._certificates(k, ledger) for k, ledger in enumerate(self.ledgers)]

    def _certificates(self, k: int, ledger: Ledger) -> list[Certificate]:
        if k in self.done:
            return self.done[k]
        judge = self.judges[k]
        if k not in self.broken and isinstance(judge, EvidenceJudge):
            gathered = judge.evidence.close(ledger, judge.learner)
            found = [theorem.certify(gathered, None) for theorem in ledger.theorems]
            return [marked(one, float(ledger.labelled)) for one in found]
        if k in self.broken or not isinstance(judge, LearnerJudge):
            return [_cannot(theorem, ledger, self.broken[k]) for theorem in ledger.theorems]
        if k in self.given:
            self.given[k].check(judge.run)
        unmet = _unmeasurable(judge.run)
        if unmet is not None:
            return [conclude(theorem, ledger.mistakes, None, [unmet]) for theorem in ledger.theorems]
        return [
            self._marked(theorem, self._best(theorem, k, judge.run), judge.run) for theorem in ledger.theorems
        ]

    @staticmethod
    def _marked(theorem: Theorem, certificate: Certificate, run: Judged) -> Certificate:
        return marked(
            certificate, theorem.trivial(run) if isinstance(theorem, RunTheorem) else float(run.rounds)
        )

    def _best(self, theorem: Theorem, k: int, run: Judged) -> Certificate:
        """Try the witnesses; keep the smallest bound. One broken bound is enough to be broken."""
        kind = theorem.comparator
        if kind is None:
            return theorem.certify(run, None)
        found = self.found[k, kind]
        witnesses = [run.witnesses[place] for place in self._places[k, kind]]
        usable = [one for one in witnesses if _is_measurable(one.u, run)]
        if not usable:
            why = f"every one that was tried has numbers beyond {LARGEST**2:g} in it or in its margins"
            return conclude(
                theorem, run.ledger.mistakes, None, [Hypothesis("some witness can be measured", False, why)]
            )
        best: tuple[tuple[int, float], Certificate, Witness, float] | None = None
        for witness in usable:
            witness.length = 1.0
            certificate = theorem.certify(run, witness)
            if best is None or _rank(certificate) < best[0]:
                best = (_rank(certificate), certificate, witness, witness.length)
        assert best is not None
        _, certificate, witness, length = best
        u = witness.u if length == 1.0 else witness.u * length
        certificate = replace(
            certificate, witness=run.by_feature(u), note="; ".join(dict.fromkeys(found.notes))
        )
        return _with_gap(theorem, certificate, found, run)


def _laid_out(piece: Batch, columns: Any, directions: Directions) -> Rows:
    labelled = ~np.isnan(piece.labels)
    cells = columns.lay(piece.matrix(), labelled.view(np.uint8))
    squares, peaks, spans = _core.measure_rows(cells)
    low, high = directions.products(cells)
    return Rows(labelled, cells, squares, peaks, spans, low, high, len(columns))


def _without_replay(ledger: Ledger) -> list[Certificate] | None:
    """Certificates that need no second reading; None where one is needed."""
    if not ledger.theorems:
        return []
    if ledger.account is not None:
        return _since(ledger, certify_experts(ledger.account, ledger.theorems))
    scaled = getattr(ledger.start, "scale", "none")
    if scaled != "none":
        return [_scaled(theorem, ledger, scaled) for theorem in ledger.theorems]
    if ledger.nature is None or ledger.start is None:
        why = "its rounds were not kept" if ledger.nature is None else "the learner has no clone()"
        return [_cannot(theorem, ledger, why) for theorem in ledger.theorems]
    return None


def not_judged(ledger: Ledger, why: str) -> list[Certificate]:
    """Certificates of a run that was not judged."""
    return [
        conclude(theorem, ledger.mistakes, None, [Hypothesis("the run was judged", False, why)])
        for theorem in ledger.theorems
    ]


def _since(ledger: Ledger, certificates: list[Certificate]) -> list[Certificate]:
    """Say of a panel that went on learning that its account begins with its first round."""
    earlier = ledger.account.rounds - ledger.labelled
    if earlier <= 0:
        return certificates
    note = f"with {counted(earlier, 'round')} that it had played before"
    return [replace(one, note=note) for one in certificates]


def _cannot(theorem: Theorem, ledger: Ledger, why: str) -> Certificate:
    return conclude(theorem, ledger.mistakes, None, [Hypothesis("the run can be played again", False, why)])


def _scaled(theorem: Theorem, ledger: Ledger, scale: str) -> Certificate:
    why = f"scale={scale} shows the rule other rows, and the theorem speaks of those"
    return conclude(
        theorem, ledger.mistakes, None, [Hypothesis("rows are learned as they are given", False, why)]
    )


def _unmeasurable(run: Judged) -> Hypothesis | None:
    """What keeps every theorem from being held against a run: it has no label, or numbers are too large."""
    undecided = run.ledger.task == "multiclass" or any(map(math.isnan, run.scalars.values()))
    if run.rounds == 0 and undecided:
        return Hypothesis("some round has a label", False, "none has")
    norms = run.norms()
    for largest in (norms.peak, norms.label):
        if largest and not SMALLEST <= largest <= LARGEST:
            found = f"the largest is {shown(float(largest))}, and must be from {SMALLEST:g} to {LARGEST:g}"
            return Hypothesis("numbers can be squared without loss", False, found)
    return None


def _is_measurable(u: Floats, run: Judged) -> bool:
    """Whether ‖u‖² and ⟨u,x⟩² are doubles: a learner that went astray has weights of which they are not."""
    largest = float(np.max(np.abs(u), initial=0.0))
    if not np.isfinite(largest) or 0.0 < largest < SMALLEST:
        return False
    return largest * max(1.0, run.norms().peak) < LARGEST**2


def _with_gap(theorem: Theorem, certificate: Certificate, found: Found, run: Judged) -> Certificate:
    """Say how much larger the margin of any witness could be, with the weights that prove it."""
    achieved = getattr(theorem, "margin", None)
    if achieved is None or certificate.bound is None or found.dual is None or not np.isfinite(found.at_most):
        return certificate
    if run.ledger.skipped:  # the numbers of rounds are those of the stream
        return certificate
    most = above(found.at_most)
    gap = max(0.0, most - achieved(certificate.quantities))
    quantities = certificate.quantities | {"margin_at_most": most, "gap": gap}
    return replace(certificate, quantities=quantities, dual=found.dual)


def _rank(certificate: Certificate) -> tuple[int, float]:
    order = {Verdict.BROKEN: 0, Verdict.HOLDS: 1, Verdict.SILENT: 2}
    unmet = sum(not h.met for h in certificate.hypotheses) + certificate.quantities.get("wrong", 0.0)
    return order[certificate.verdict], unmet if certificate.bound is None else certificate.bound
