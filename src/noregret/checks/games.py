"""The games in which theorems about learners over examples are played: at the worst case and at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret.checks.committee import Committee
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
    ("averaged-perceptron", "Novikoff (updates); Mohri–Rostamizadeh (updates)"),
    ("voted-perceptron", "Novikoff (updates); Mohri–Rostamizadeh (updates)"),
    ("selective-perceptron:smoothing=0.5", "Cesa-Bianchi–Gentile–Zaniboni"),
    ("ogd", "Zinkevich"),
    ("pa", "Crammer (PA)"),
    ("pa1", "Crammer (PA-I); Shalev-Shwartz–Singer (PA-I)"),
    ("pa2", "Crammer (PA-II); Shalev-Shwartz–Singer (PA-II)"),
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
        "Novikoff; Freund–Schapire; Mohri–Rostamizadeh",
        _BASIS,
        _MARGIN,
    ),
    *_games(
        "perceptron",
        "Late labels; Late labels (any data)",
        ("the standard basis, labels 3 rounds late", lambda _: Delayed(standard_basis(1000), 3)),
        ("a margin of 0.1, labels 3 rounds late", lambda seed: Delayed(separable(20, 0.1, 2000, seed), 3)),
    ),
    *_games(
        "voted-perceptron",
        "Freund–Schapire (leave one out)",
        ("one row again and again", lambda seed: shuffled(from_arrays(np.ones((50, 1)), -np.ones(50)), seed)),
        ("a margin of 0.3 in 5 dimensions", lambda seed: shuffled(separable(5, 0.3, 2000, seed), seed)),
    ),
    *(game for spec, theorems in FIRST_ORDER for game in _games(spec, theorems, _SMALL_BASIS, _MARGIN)),
    *_games(
        "winnow:threshold=1.99",
        "Littlestone (disjunctions); Littlestone (any data); Littlestone (bookkeeping)",
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
    *_games(
        "kernel-perceptron:kernel=linear",
        "Novikoff (kernel); Freund–Schapire (kernel); Mohri–Rostamizadeh (kernel)",
        _SMALL_BASIS,
        ("a margin of 0.3 in 5 dimensions", lambda seed: separable(5, 0.3, 500, seed)),
    ),
    *_games(
        "normalized-winnow:rate=1",
        "Kivinen–Warmuth (normalised); Kivinen–Warmuth (normalised, any data)",
        _EXPERTS,
        _LITERAL,
    ),
    *_games(
        "balanced-winnow:rate=1",
        "Kivinen–Warmuth (balanced); Kivinen–Warmuth (balanced, any data)",
        _EXPERTS,
        _LITERAL,
    ),
    *_games(
        "multiclass-perceptron",
        "Crammer–Singer; Crammer–Singer (any data); Mohri–Rostamizadeh (classes)",
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
