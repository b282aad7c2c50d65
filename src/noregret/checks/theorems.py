"""Every theorem that noregret knows, played at its worst case and at random.

A game names a theorem, makes a nature and a learner that it speaks about, plays them and holds the
theorem against the run. The lower bounds, which speak about natures, and the inequalities between
dimensions are checked beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret.certificate import Verdict
from noregret.certification import certify
from noregret.checks.committee import Committee
from noregret.checks.expert_games import SPECS, expert_games
from noregret.game.play import play
from noregret.hypotheses.dimension import littlestone_dimension, vc_dimension
from noregret.hypotheses.naming import finite_class
from noregret.natures.adversaries import CoverAdversary, TreeAdversary, WorstCase
from noregret.natures.arrays import ArrayStream, from_arrays, shuffled
from noregret.natures.lateness import Delayed
from noregret.natures.margins import (
    basis_numbers,
    basis_ranks,
    class_basis,
    class_signs,
    doubling_groups,
    linear_numbers,
    separable,
    separable_classes,
    separable_ranks,
    standard_basis,
)
from noregret.natures.points import noisy, realizable
from noregret.natures.targets import disjunction, k_of_n, unknown_literal
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


@dataclass(frozen=True, slots=True)
class Game:
    """Who plays whom, and for which theorem."""

    theorem: str
    title: str
    spec: str
    nature: Callable[[int], Any]  # of a seed
    hypotheses: str | None = None


def _games(
    spec: str, theorems: str, worst: Any, random: Any, hypotheses: tuple[str, str] | None = None
) -> list[Game]:
    """The two games of each theorem of a learner; worst and random are (title, nature)."""
    over = hypotheses or (None, None)
    return [
        Game(theorem, f"{kind}: {title}", spec, nature, one)
        for theorem in theorems.split("; ")
        for kind, (title, nature), one in (("worst", worst, over[0]), ("random", random, over[1]))
    ]


def _signed_literal(seed: int) -> ArrayStream:
    stream = unknown_literal(64, 1000, seed)
    return from_arrays(2.0 * np.asarray(stream.matrix, dtype=np.float64) - 1.0, stream.labels)


_TREE = "a shattered tree of"
_SINGLES = ("singletons:64", "disjunctions:6")
_DRAWN = ("a drawn disjunction of 6", lambda seed: realizable("disjunctions:6", 200, seed))
_ONE_BY_ONE = ("singletons, one by one", lambda _: WorstCase("singletons:64"))
_HALVES = (f"{_TREE} thresholds:1023", lambda _: TreeAdversary("thresholds:1023"))
_GROUPS = ("pairs, fours, eights … of 64 features", lambda _: doubling_groups(6))
_EXPERTS = (f"{_TREE} all:8, a hypothesis a feature", lambda _: Committee("all:8", by="hypothesis"))
_LITERAL = ("one of 64 features is the label", _signed_literal)

_TWO = ("the standard basis, two classes", lambda _: class_basis(1000))
_FIVE = ("five classes, a lead of 0.05", lambda seed: separable_classes(10, 5, 0.05, 2000, seed))
_UNITS = ("the standard basis, each number 1", lambda _: basis_numbers(1000, 1.0))
_NOISY = ("a linear function of 10, noise 0.1", lambda seed: linear_numbers(10, 1000, 0.1, seed))

_BASIS = ("the standard basis", lambda _: standard_basis(1000))
_MARGIN = ("a margin of 0.1 in 20 dimensions", lambda seed: separable(20, 0.1, 2000, seed))
FIRST_ORDER = (
    ("averaged-perceptron", "Novikoff (updates)"),
    ("voted-perceptron", "Novikoff (updates)"),
    ("selective-perceptron:smoothing=0.5", "Cesa-Bianchi–Gentile–Zaniboni"),
    ("ogd", "Zinkevich"),
    ("pa", "Crammer (PA)"),
    ("pa1", "Crammer (PA-I)"),
    ("pa2", "Crammer (PA-II)"),
    ("alma", "Gentile–Zinkevich"),
    ("romma", "Li–Long"),
    ("adagrad", "Duchi (descent)"),
    ("ftrl", "McMahan"),
    ("coin", "Orabona–Pál"),
)

_SMALL_BASIS = ("the standard basis", lambda _: standard_basis(200))

GAMES: list[Game] = [
    *_games("consistent", "Consistent", _ONE_BY_ONE, _DRAWN, _SINGLES),
    *_games("randconsistent", "RandConsistent; RandConsistent (exact)", _ONE_BY_ONE, _DRAWN, _SINGLES),
    *_games("halving", "Halving", _HALVES, _DRAWN, ("thresholds:1023", "disjunctions:6")),
    *_games("soa", "Littlestone (SOA)", _HALVES, _DRAWN, ("thresholds:1023", "disjunctions:6")),
    *_games(
        "agnostic:rounds=400",
        "Ben-David–Pál–Shalev-Shwartz",
        ("Cover's adversary", lambda _: CoverAdversary("all:1", 400)),
        ("a drawn threshold, 20% noise", lambda seed: noisy("thresholds:15", 400, 0.2, seed)),
        ("all:1", "thresholds:15"),
    ),
    *_games(
        "perceptron",
        "Novikoff; Freund–Schapire",
        _BASIS,
        _MARGIN,
    ),
    *_games(
        "perceptron",
        "Late labels",
        ("the standard basis, labels 3 rounds late", lambda _: Delayed(standard_basis(1000), 3)),
        ("a margin of 0.1, labels 3 rounds late", lambda seed: Delayed(separable(20, 0.1, 2000, seed), 3)),
    ),
    *_games(
        "voted-perceptron",
        "Freund–Schapire (leave one out)",
        ("one row again and again", lambda seed: shuffled(from_arrays(np.ones((50, 1)), -np.ones(50)), seed)),
        ("a margin of 0.3 in 5 dimensions", lambda seed: shuffled(separable(5, 0.3, 2000, seed), seed)),
    ),
    *(game for spec, theorem in FIRST_ORDER for game in _games(spec, theorem, _SMALL_BASIS, _MARGIN)),
    *_games(
        "winnow:threshold=1.99",
        "Littlestone (disjunctions); Littlestone (bookkeeping)",
        _GROUPS,
        ("a disjunction of 3 among 100", lambda seed: disjunction(100, 3, 2000, seed)),
    ),
    *_games(
        "winnow:promotion=1.25,threshold=1.99",
        "Littlestone (thresholds)",
        _GROUPS,
        ("2 of 4 among 50", lambda seed: k_of_n(2, 4, 50, 1000, seed)),
    ),
    *_games("sop:ridge=1000,covariance=full", "Cesa-Bianchi–Conconi–Gentile", _SMALL_BASIS, _MARGIN),
    *_games("arow:ridge=1000,covariance=full", "Crammer–Kulesza–Dredze", _SMALL_BASIS, _MARGIN),
    *_games("ons:ridge=1000,covariance=full", "Hazan–Agarwal–Kale", _SMALL_BASIS, _MARGIN),
    *_games("kernel-perceptron:kernel=linear", "Novikoff (kernel)", _SMALL_BASIS, _MARGIN),
    *_games("normalized-winnow:rate=1", "Kivinen–Warmuth (normalised)", _EXPERTS, _LITERAL),
    *_games("balanced-winnow:rate=1", "Kivinen–Warmuth (balanced)", _EXPERTS, _LITERAL),
    *_games(
        "multiclass-perceptron",
        "Crammer–Singer; Crammer–Singer (any data)",
        _TWO,
        _FIVE,
    ),
    *_games("multiclass-pa", "Crammer et al. (multiclass PA)", _TWO, _FIVE),
    *_games("multiclass-pa1", "Crammer et al. (multiclass PA-I)", _TWO, _FIVE),
    *_games("multiclass-pa2", "Crammer et al. (multiclass PA-II)", _TWO, _FIVE),
    *_games(
        "multiclass-winnow:rate=0.3",
        "Kivinen–Warmuth (classes)",
        ("a sign of 256 for each of two classes", lambda _: class_signs(256, 2, 300)),
        ("a sign of 40 for each of four classes", lambda seed: class_signs(40, 4, 2000, seed)),
    ),
    *_games("multiclass-ogd:step=constant,rate=0.5", "Zinkevich (multiclass)", _TWO, _FIVE),
    *_games(
        "prank:ranks=4",
        "Crammer–Singer (ranks)",
        ("the standard basis, ranks in turn", lambda _: basis_ranks(40)),
        ("four ranks, 0.05 from the thresholds", lambda seed: separable_ranks(5, 4, 0.05, 1000, seed)),
    ),
    *_games("ridge:ridge=1000", "Vovk–Azoury–Warmuth", _UNITS, _NOISY),
    *_games("widrow-hoff:rate=1", "Cesa-Bianchi–Long–Warmuth", _UNITS, _NOISY),
    *_games("pa-regression:epsilon=0", "Crammer et al. (regression)", _UNITS, _NOISY),
    *_games("pa-regression:epsilon=0,form=2", "Crammer et al. (regression)", _UNITS, _NOISY),
    *_games(
        "quantile-regression:rate=2",
        "Zinkevich (quantile)",
        _UNITS,
        _NOISY,
    ),
]

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
