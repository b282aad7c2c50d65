"""Random rows, labels, importance weights and witnesses, many of them at the edge of what theorems allow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certificate_fuzz.parameters import Generator, log_uniform

Floats = NDArray[np.float64]
ROUNDS = (1, 2, 3, 5, 8, 12, 20, 40, 80, 200)
LIKELY = (0.04, 0.06, 0.08, 0.12, 0.16, 0.18, 0.16, 0.12, 0.06, 0.02)
WORDS = ("ant", "bee", "cat", "dog", "elk")
ZERO_ONE = ("winnow",)  # rows of other values are refused
MULTIPLICATIVE = ("normalized-winnow", "balanced-winnow", "multiclass-winnow")


def length(rng: Generator) -> int:
    """Draw how many rounds a game has."""
    return int(rng.choice(ROUNDS, p=LIKELY))


def rows(rng: Generator, rounds: int, name: str) -> Floats:
    """Draw a table of rows for a learner of this name."""
    width = int(rng.integers(1, 9))
    shapes = ["normal", "normal", "signs", "grid", "zero-one", "basis", "heavy", "same", "sphere", "line"]
    if name in ZERO_ONE:
        shapes = ["zero-one"] * 3 + ["basis"]
    elif name in MULTIPLICATIVE:
        shapes += ["signs", "zero-one", "signs", "zero-one"]
    shape = shapes[int(rng.integers(len(shapes)))]
    if shape == "basis":
        width = min(rounds, 40)
        return np.eye(width)[np.arange(rounds) % width] * (1.0 if rng.random() < 0.7 else -3.0)
    made = {
        "normal": lambda: rng.standard_normal((rounds, width)),
        "signs": lambda: rng.choice([-1.0, 1.0], (rounds, width)),
        "grid": lambda: rng.integers(-2, 3, (rounds, width)).astype(float),
        "zero-one": lambda: (rng.random((rounds, width)) < rng.uniform(0.1, 0.9)).astype(float),
        "heavy": lambda: rng.standard_cauchy((rounds, width)),
        "same": lambda: np.tile(rng.standard_normal((1, width)), (rounds, 1)),
        "sphere": lambda: _unit(rng.standard_normal((rounds, width))),
        "line": lambda: np.outer(rng.uniform(-2, 2, rounds), rng.integers(-1, 2, width).astype(float)),
    }[shape]()
    return made if name in ZERO_ONE else _scaled(rng, made)


def _unit(table: Floats) -> Floats:
    return table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-300)


def _scaled(rng: Generator, table: Floats) -> Floats:
    """Multiply columns or rows by 1e-8 … 1e8, put zero rows in, or leave the table as it is."""
    rounds, width = table.shape
    how = rng.random()
    if how < 0.14:
        return table * 10.0 ** np.round(rng.uniform(-8, 8, width), 1)
    if how < 0.22:
        return table * 10.0 ** (np.round(rng.uniform(-8, 8, rounds), 1) * (rng.random(rounds) < 0.3))[:, None]
    if how < 0.30:  # from some round on
        jump = np.where(np.arange(rounds) < rng.integers(rounds + 1), 1.0, 10.0 ** rng.integers(-8, 9))
        return table * jump[:, None]
    if how < 0.34:
        return table * log_uniform(rng, 1e-8, 1e8)
    if how < 0.36:
        return table * log_uniform(rng, 1e-170, 1e170)
    if how < 0.44:
        return table * (rng.random(rounds) < 0.7)[:, None]
    return table


def target(rng: Generator, table: Floats, name: str, classes: int) -> Floats:
    """Draw a target u by column, or one for each class."""
    shape = (classes, table.shape[1]) if classes else (table.shape[1],)
    if name in ZERO_ONE or (name == "normalized-winnow" and rng.random() < 0.7):
        return (rng.random(shape) < 0.4).astype(float)
    drawn = rng.standard_normal(shape) if rng.random() < 0.7 else rng.integers(-1, 2, shape).astype(float)
    return drawn / np.maximum(np.max(np.abs(table), axis=0, initial=0.0), 1e-200)  # columns count alike


def signs(rng: Generator, table: Floats, u: Floats, name: str) -> tuple[Floats, Floats]:
    """Draw labels −1 and +1; give the rows as well, of which some may have been left out."""
    scores = table @ u
    if name in ZERO_ONE:
        scores = scores - rng.choice([0.5, 0.5, 1.5])
    how = rng.random()
    labels = np.where(scores >= 0, 1.0, -1.0)
    if how < 0.45:  # a margin
        apart = np.abs(scores) >= rng.uniform(0.0, 0.5) * np.max(np.abs(scores), initial=0.0)
        return table[apart], labels[apart]
    if how < 0.65:
        return table, np.where(rng.random(len(labels)) < rng.choice([0.02, 0.2]), -labels, labels)
    if how < 0.75:
        return table, rng.choice([-1.0, 1.0], len(labels))
    if how < 0.88:
        return table, np.full(len(labels), rng.choice([-1.0, -1.0, 1.0]))
    if how < 0.94:
        return table, np.where(np.arange(len(labels)) % 2 == 0, -1.0, 1.0)
    return table, labels


def numbers(rng: Generator, table: Floats, u: Floats) -> Floats:
    """Draw numbers to predict."""
    scores = table @ u
    how = rng.random()
    if how < 0.4:
        return scores
    if how < 0.7:
        return scores + log_uniform(rng, 1e-4, 1e2) * rng.standard_normal(len(scores))
    if how < 0.8:
        return np.full(len(scores), float(rng.choice([-1.0, 0.0, 1.0, 100.0])))
    if how < 0.9:
        return rng.standard_normal(len(scores)) * log_uniform(rng, 1e-8, 1e8)
    return rng.standard_cauchy(len(scores))


def ranks(rng: Generator, table: Floats, u: Floats, most: int) -> Floats:
    """Draw labels 1 … most, mostly by cuts of ⟨u, x⟩ with a gap around them."""
    if rng.random() < 0.2:
        return rng.integers(1, most + 1, len(table)).astype(float)
    scores = table @ u
    cuts = np.sort(rng.choice(scores, most - 1)) if len(scores) else np.zeros(most - 1)
    return 1.0 + np.searchsorted(cuts, scores).astype(float)


def class_labels(rng: Generator, table: Floats, u: Floats) -> list[Any]:
    """Draw classes: whole numbers from 1 on, or words."""
    scores = table @ u.T
    found = np.argmax(scores, axis=1) if rng.random() < 0.6 else rng.integers(0, len(u), len(table))
    if rng.random() < 0.2:
        found = np.zeros(len(table), dtype=int)
    return [WORDS[k] for k in found] if rng.random() < 0.3 else [int(k) + 1 for k in found]


def importances(rng: Generator, rounds: int) -> Floats | None:
    """Draw importance weights; None for most games."""
    how = rng.random()
    if how < 0.87:
        return None
    if how < 0.91:
        return np.ones(rounds)
    if how < 0.93:
        return np.full(rounds, float(rng.choice([0.5, 3.0])))
    if how < 0.98:
        return np.exp(rng.standard_normal(rounds))
    return np.asarray(10.0 ** rng.uniform(-8, 8, rounds))
