"""Every theorem that noregret knows, played at its worst case and at random.

A game names a theorem, makes a nature and a learner that it speaks about, plays them and holds the
theorem against the run. The lower bounds, which speak about natures, and the inequalities between
dimensions are checked beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from noregret.certificate import Verdict
from noregret.checks.committee import Committee
from noregret.checks.expert_games import SPECS, expert_games
from noregret.checks.games import GAMES, Game
from noregret.game.play import play
from noregret.hypotheses.dimension import littlestone_dimension, vc_dimension
from noregret.hypotheses.naming import finite_class
from noregret.judging.certify import certify
from noregret.natures.adversaries import TreeAdversary
from noregret.parameters import name_of
from noregret.registry import FINITE_LEARNERS, LEARNERS, expert_rule, learner, learner_class, sample


@dataclass(frozen=True, slots=True)
class Known:
    """A theorem: what it says, where it is proved, of whom it speaks."""

    theorem: str
    statement: str
    source: str
    learner: str


@dataclass(frozen=True, slots=True)
class Row:
    """A theorem held against one game."""

    theorem: str
    source: str
    game: str
    observed: float
    bound: float | None
    verdict: Verdict
    at_least: bool = False  # a lower bound: observed ≥ bound

    @property
    def slack(self) -> float | None:
        """How much was to spare."""
        if self.bound is None:
            return None
        return self.observed - self.bound if self.at_least else self.bound - self.observed


LOWER = Known(
    "Littlestone (lower bound)",
    "against a shattered tree every deterministic learner errs Ldim(H) times, and the labels stay realizable",
    "Littlestone 1988, Learning quickly when irrelevant attributes abound, Thm 3",
    "every deterministic one",
)
COVER = Known(
    "Cover",
    "against answers 1 − ŷ every deterministic learner errs T times, and one of two constants at most T/2",
    "Cover 1965, Behavior of sequential predictors of binary sequences",
    "every deterministic one",
)
CHAIN = Known(
    "VC ≤ Ldim ≤ log₂|H|",
    "VC(H) ≤ Ldim(H) ≤ log₂|H|",
    "Littlestone 1988, Learning quickly when irrelevant attributes abound, §3",
    "–",
)


def known() -> Iterator[Known]:
    """Yield every theorem once."""
    yield from (CHAIN, LOWER, COVER)
    for name in [*FINITE_LEARNERS, *LEARNERS]:
        one = sample(learner_class(name))
        for theorem in (*one.theorems(), *one.late_theorems()):
            yield Known(theorem.name, theorem.statement, theorem.source, name)
    for spec in SPECS:
        for theorem in expert_rule(spec, 2).theorems():
            yield Known(theorem.name, theorem.statement, theorem.source, name_of(spec))


def verify(seed: int = 0) -> Iterator[Row]:
    """Play every game and yield what its theorem says."""
    yield from _chain("all:10", f"random:64,24,{seed}")
    yield from _lower("thresholds:1023", f"random:64,24,{seed}")
    yield from _cover(400)
    for game in GAMES:
        yield _played(game, seed)
    for title, found in expert_games(seed):
        yield Row(found.theorem, found.source, title, found.observed, found.bound, found.verdict)


def _played(game: Game, seed: int) -> Row:
    ledger = play(game.nature(seed), learner(game.spec, game.hypotheses))
    found = next(c for c in certify(ledger) if c.theorem == game.theorem)
    return Row(game.theorem, found.source, game.title, found.observed, found.bound, found.verdict)


def _chain(*specs: str) -> Iterator[Row]:
    for kind, spec in zip(("worst", "random"), specs, strict=True):
        made = finite_class(spec)
        depth, points = littlestone_dimension(made), vc_dimension(made)
        verdict = _verdict(points <= depth and 2**depth <= made.size)
        yield Row(CHAIN.theorem, CHAIN.source, f"{kind}: {spec}", depth, math.log2(made.size), verdict)


def _lower(*specs: str) -> Iterator[Row]:
    """The fewest mistakes of the deterministic learners; a label that nothing explains would be refused."""
    for kind, spec in zip(("worst", "random"), specs, strict=True):
        made = finite_class(spec)
        depth = littlestone_dimension(made)
        least = min(
            play(TreeAdversary(made), learner(n, made)).mistakes for n in ("consistent", "halving", "soa")
        )
        title = f"{kind}: the best of consistent, halving, soa on {spec}"
        yield Row(LOWER.theorem, LOWER.source, title, least, depth, _verdict(least >= depth), at_least=True)


def _cover(rounds: int) -> Iterator[Row]:
    """Learners that take any labels: the Perceptron and the majority, over one feature that is always 1."""
    for kind, name in (("worst", "perceptron"), ("random", "majority")):
        mistakes = play(Committee("all:1", by="constant", rounds=rounds), learner(name)).mistakes
        title = f"{kind}: {name}, {rounds:,} rounds"
        yield Row(
            COVER.theorem, COVER.source, title, mistakes, rounds, _verdict(mistakes >= rounds), at_least=True
        )


def _verdict(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.BROKEN
