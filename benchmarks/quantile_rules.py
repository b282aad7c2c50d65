"""Squint or NormalHedge? Both promise little regret to a good fraction of many experts, with nothing to tune.

NormalHedge (Chaudhuri, Freund & Hsu 2009) is written out below, in plain numpy; Squint, AdaHedge and Hedge
are ours. Regret is taken to the best expert, and to the one at the top 10 % (so many do as well or better).
It is divided by √(T ln N), the bound of Hedge, to make settings comparable: smaller is better, below 0 is
better than that expert. Streams at random are drawn anew for each repeat. Nothing is timed here.

With NOREGRET_DATA set to a folder that has them, also elec2_8feat.csv (zero-one losses of its last label,
the constants, and linear learners), opera_experts.csv with opera_targets.csv, and
opera_regional_experts.csv.gz (square errors as shares of the largest).
"""

from __future__ import annotations

import csv
import gzip
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from side_by_side import arguments, print_table, repeats

import noregret as nr

Floats = NDArray[np.float64]
TOP = 0.1  # the fraction of the experts that the second regret is about


def normal_hedge(losses: Floats) -> float:
    """Play p ∝ (R₊/c)·exp(R₊²/2c), with c such that the mean of exp(R₊²/2c) is e; give the loss."""
    n = losses.shape[1]
    regret, own = np.zeros(n), 0.0
    for row in losses:
        positive = np.maximum(regret, 0.0)
        weights = np.ones(n) if positive.max() <= 0.0 else _normal_weights(positive)
        suffered = float(weights @ row) / float(weights.sum())
        own += suffered
        regret += suffered - row
    return own


def _normal_weights(positive: Floats) -> Floats:
    """Newton's method for u = 1/2c: ln(mean exp(u·R₊²)) − 1 is convex, so from above it falls to its root."""
    square = positive**2
    top, n = float(square.max()), len(square)
    u = (1.0 + math.log(n)) / top
    for _ in range(100):
        grown = np.exp(u * (square - top))
        total = float(grown.sum())
        over = u * top + math.log(total / n) - 1.0
        if over <= 1e-10:
            break
        u -= over * total / float(grown @ square)
    return np.asarray(positive * np.exp(u * (square - top)))


def ours(spec: str) -> Callable[[Floats], float]:
    return lambda losses: float(nr.expert_rule(spec, losses.shape[1]).play(losses).account.loss)


RULES: dict[str, Callable[[Floats], float]] = {
    "squint": ours("squint"),
    "normalhedge": normal_hedge,
    "adahedge": ours("adahedge"),
    "hedge": ours("hedge"),
}


# ---- streams ----------------------------------------------------------------------------------------


def coins(rng: np.random.Generator, rounds: int, chances: Floats) -> Floats:
    return (rng.random((rounds, len(chances))) < chances).astype(np.float64)


def few_good(rng: np.random.Generator, rounds: int, n: int) -> Floats:
    """One in twenty, at least one, loses 0.4 of the time, the others half of it."""
    return coins(rng, rounds, np.where(np.arange(n) < max(n // 20, 1), 0.4, 0.5))


def many_good(rng: np.random.Generator, rounds: int, n: int) -> Floats:
    """Half of them lose 0.45 of the time, the others 0.55."""
    return coins(rng, rounds, np.where(np.arange(n) < n // 2, 0.45, 0.55))


def late_good(rng: np.random.Generator, rounds: int, n: int) -> Floats:
    """Coins for everybody; one expert is faultless in the second half."""
    losses = coins(rng, rounds, np.full(n, 0.5))
    losses[rounds // 2 :, -1] = 0.0
    return losses


def noise(rng: np.random.Generator, rounds: int, n: int) -> Floats:
    """Nobody is better than anybody."""
    return rng.random((rounds, n))


def alternating(rng: np.random.Generator, rounds: int, n: int) -> Floats:
    """Two halves, and the one that leads loses next; the ruin of who follows the leader."""
    losses = np.zeros((rounds, n))
    losses[0, : n // 2] = 0.5
    losses[1::2, n // 2 :] = 1.0
    losses[2::2, : n // 2] = 1.0
    return losses


STREAMS = {
    "few good": few_good,
    "many good": many_good,
    "one good, late": late_good,
    "noise": noise,
    "alternating": alternating,
}


# ---- data -------------------------------------------------------------------------------------------


def elec2(path: Path) -> Floats:
    """Zero-one losses: the last label, both constants, and linear learners."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    features = np.array([[float(cell) for cell in row[:8]] for row in rows])
    labels = np.where(np.array([row[8] for row in rows]) == "UP", 1.0, -1.0)
    said = [np.concatenate([[1.0], labels[:-1]]), np.ones(len(rows)), -np.ones(len(rows))]
    for spec in ("perceptron:bias=true", "normalized-winnow:rate=0.1", "balanced-winnow:rate=0.1"):
        learner, heard = nr.learner(spec), []
        for row, label in zip(features, labels, strict=True):
            heard.append(learner.predict(row))
            learner.learn(row, label)
        said.append(np.array(heard))
    return np.asarray(np.column_stack(said) != labels[:, None], dtype=np.float64)


def regional(path: Path) -> Floats:
    """64 forecasts of a load; the file has no truth, so that the 65th, the national median, stands for it."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))
    table = np.array(rows, dtype=np.float64)
    middle = names.index("nat0.5")
    errors = (np.delete(table, middle, axis=1) - table[:, [middle]]) ** 2
    return np.asarray(errors / errors.max())


def weekly(path: Path) -> Floats:
    """Three forecasts of the weekly load."""
    said = np.loadtxt(path, delimiter=",", skiprows=1)
    truth = np.loadtxt(path.with_name("opera_targets.csv"), skiprows=1)
    errors = (said - truth[:, None]) ** 2
    return np.asarray(errors / errors.max())


DATA = {"elec2_8feat.csv": elec2, "opera_experts.csv": weekly, "opera_regional_experts.csv.gz": regional}


class Setting(NamedTuple):
    """A stream, and the regret of each rule, to the best and to the top, one number for each repeat."""

    name: str
    n: int
    best: dict[str, list[float]]
    top: dict[str, list[float]]


def measure(name: str, tables: list[Floats]) -> Setting:
    best: dict[str, list[float]] = {rule: [] for rule in RULES}
    top: dict[str, list[float]] = {rule: [] for rule in RULES}
    for losses in tables:
        rounds, n = losses.shape
        ranked, scale = np.sort(losses.sum(axis=0)), math.sqrt(rounds * math.log(n))
        for rule, play in RULES.items():
            own = play(losses)
            best[rule].append((own - float(ranked[0])) / scale)
            top[rule].append((own - float(ranked[math.ceil(TOP * n) - 1])) / scale)
    return Setting(name, tables[0].shape[1], best, top)


def settings(count: int, rounds: int) -> list[Setting]:
    found = []
    for name, stream in STREAMS.items():
        for n in (10, 100, 1000):
            tables = [stream(np.random.default_rng(seed), rounds, n) for seed in range(count)]
            found.append(measure(name, tables))
    folder = os.environ.get("NOREGRET_DATA")
    for file, read in DATA.items():
        path = Path(folder or "") / file
        if folder is not None and path.exists():
            found.append(measure(file, [read(path)]))
    return found


def show(found: list[Setting]) -> None:
    head = ["stream", "N", *(f"{rule}, best" for rule in RULES), *(f"{rule}, top" for rule in RULES)]
    rows = [head]
    for s in found:
        means = [f"{np.mean(side[rule]):.3f}" for side in (s.best, s.top) for rule in RULES]
        rows.append([s.name, f"{s.n:,}", *means])
    overall = [
        f"{np.mean([np.mean(getattr(s, side)[rule]) for s in found]):.3f}"
        for side in ("best", "top")
        for rule in RULES
    ]
    worst = [
        f"{max(np.mean(getattr(s, side)[rule]) for s in found):.3f}"
        for side in ("best", "top")
        for rule in RULES
    ]
    print_table([*rows, ["mean of all", "", *overall], ["worst of all", "", *worst]])


def won(ours: list[float], theirs: list[float]) -> int:
    """1, −1, or 0 where the difference is within two standard errors or a thousandth."""
    gap = np.array(theirs) - np.array(ours)
    error = float(gap.std(ddof=1)) / math.sqrt(len(gap)) if len(gap) > 1 else 0.0
    return int(np.sign(gap.mean())) if abs(float(gap.mean())) > max(2.0 * error, 1e-3) else 0


def conclude(found: list[Setting]) -> str:
    """Say who loses less, on streams and on data apart; by settings won, and level unless both sides agree.

    The difference of two rules is the same to whichever expert they are compared with: it counts once.
    Data is played once, so that nothing says how much of a difference on it is luck.
    """
    drawn = [s for s in found if s.name in STREAMS]
    told, leads = [], []
    for words, part in (("streams", drawn), ("data", [s for s in found if s.name not in STREAMS])):
        if part:
            results = [won(s.best["squint"], s.best["normalhedge"]) for s in part]
            ahead, behind = results.count(1), results.count(-1)
            leads.append(int(np.sign(ahead - behind)))
            means = [np.mean([np.mean(s.best[rule]) for s in part]) for rule in ("squint", "normalhedge")]
            told.append(
                f"on {words} Squint loses less in {ahead}, NormalHedge in {behind}, level in "
                f"{results.count(0)} (mean regret to the best {means[0]:.3f} and {means[1]:.3f})"
            )
    choice = {1: "Squint", -1: "NormalHedge"}.get(leads[0] if len(set(leads)) == 1 else 0, "undecided")
    return f"By these figures, {choice}: " + "; ".join(told) + "."


def main() -> None:
    options = arguments(__doc__, 5, 2).parse_args()
    rounds = 500 if options.quick else 4000
    found = settings(repeats(options), rounds)
    print(f"Regret/√(T ln N), T = {rounds:,}, means of {repeats(options)}\n")
    show(found)
    print(f"\n{conclude(found)}")


if __name__ == "__main__":
    main()
