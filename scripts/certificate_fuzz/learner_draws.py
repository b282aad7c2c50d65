"""Draws a game of a learner or of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import noregret as nr
from certificate_fuzz import tables
from certificate_fuzz.code_lines import AFTER, CARRIED, STREAMS, SUBCLASSES
from certificate_fuzz.learner_games import LearnerGame
from certificate_fuzz.parameters import DRAWS, Generator, Kind, spec
from certificate_fuzz.tables import Floats

ADAPTIVE_ROUNDS = 40  # rounds of a game in which labels or rows are chosen against the learner
SEARCHES = 0.1  # share of games whose witness certify has to find


def draw(rng: Generator, kind: Kind, members: Sequence[Kind]) -> LearnerGame:
    """Draw a game; `members` are the kinds that a panel may have."""
    rounds = tables.length(rng)
    text = _panel(rng, members, rounds) if kind.name == "panel" else spec(rng, kind, rounds)
    task = str(getattr(nr.learner(text), "task", "binary"))
    X, y, u = _labelled(rng, text, task, rounds)
    if rng.random() < 0.12:
        X, y = _against(rng, text, task, X, y)
    if rng.random() < 0.12:
        passes = int(rng.integers(2, 4))
        X, y = np.tile(X, (passes, 1)), y * passes
    y = [None if rng.random() < 0.3 else label for label in y] if rng.random() < 0.1 else y
    game = LearnerGame(text, X, y, tables.importances(rng, len(y)), witness=_witness(rng, u, X))
    return _unusual(rng, kind, game, task)


def _labelled(rng: Generator, text: str, task: str, rounds: int) -> tuple[Floats, list[Any], Floats]:
    """Draw rows, labels and the target behind them."""
    name = text.partition(":")[0]
    X = tables.rows(rng, rounds, name)
    classes = int(rng.integers(2, 6)) if task == "multiclass" else 0
    u = tables.target(rng, X, name, classes)
    if task == "multiclass":
        return X, tables.class_labels(rng, X, u), u
    if name == "prank":
        return X, tables.ranks(rng, X, u, int(nr.learner(text).ranks)).tolist(), u
    if task == "regression":
        return X, tables.numbers(rng, X, u).tolist(), u
    X, labels = tables.signs(rng, X, u, name)
    return X, labels.tolist(), u


def _against(rng: Generator, text: str, task: str, X: Floats, y: list[Any]) -> tuple[Floats, list[Any]]:
    """Choose each label, or each row with its label, so that the learner is wrong where that is possible."""
    learner = nr.learner(text)
    choose_rows = rng.random() < 0.5 and task != "regression"
    rows, labels = [], []
    for t in range(min(len(y), ADAPTIVE_ROUNDS)):
        try:
            if choose_rows:
                pool = rng.permutation(len(y))[:8].tolist()
                wrong = [k for k in pool if learner.predict(X[k]) != y[k]]
                k = (wrong or pool)[0]
                label = y[k]
            else:
                k = t
                label = _other(rng, learner.predict(X[t]), y[t], task, y)
            learner.learn(X[k], label)
        except nr.errors.NoregretError:
            break
        rows.append(X[k])
        labels.append(label)
    return (np.array(rows), labels) if rows else (X, y)


def _other(rng: Generator, prediction: Any, label: Any, task: str, y: list[Any]) -> Any:
    if task == "binary":
        return -prediction
    if task == "regression" and isinstance(label, float) and label != int(label):
        return float(prediction) + float(rng.choice([-1.0, 1.0]))
    others = [one for one in y if one != prediction]
    return others[0] if others else label


def _witness(rng: Generator, u: Floats, X: Floats) -> Any:
    """Draw the comparator that is given to certify; None lets it search."""
    how = rng.random()
    if how < SEARCHES:
        return None
    if how < 0.6:
        drawn = u
    elif how < 0.75:
        drawn = u * 10.0 ** rng.integers(-6, 7)
    elif how < 0.8:
        drawn = np.zeros_like(u)
    elif how < 0.85:
        drawn = np.ones_like(u)
    else:
        drawn = u + rng.standard_normal(u.shape) * np.abs(u).max(initial=1e-3)
    if rng.random() < 0.2:  # with a number for the bias
        drawn = np.concatenate([drawn, rng.standard_normal((*u.shape[:-1], 1))], axis=-1)
    return drawn if rng.random() < 0.02 else np.clip(drawn, -1e45, 1e45)  # certify takes none beyond 1e50


def _unusual(rng: Generator, kind: Kind, game: LearnerGame, task: str) -> LearnerGame:
    """Change how it is made, read, continued and certified, in a few ways."""
    changes: dict[str, Any] = {}
    if rng.random() < 0.3:
        changes["form"] = _one(rng, list(STREAMS))
    if rng.random() < 0.14:
        changes["before"] = _before(rng, game, task)
    if rng.random() < 0.1:
        changes["carried"] = _one(rng, list(CARRIED))
    if rng.random() < 0.05 and kind.family == "learner":
        changes["subclass"] = _one(rng, list(SUBCLASSES))
    if changes.get("subclass") and changes.get("carried") == "pickled":
        changes["carried"] = "cloned"  # pickle does not carry a class that stands in no module
    changes["verified"] = rng.random() < 0.08
    if rng.random() < 0.01 and kind.family == "learner" and kind.parameters:
        name = _one(rng, [one for one in kind.parameters if one in DRAWS] or list(kind.parameters))
        changes["assigned"] = (name, DRAWS[name](rng, len(game.y)) if name in DRAWS else 2.0)
        changes["verified"] = False
    if rng.random() < 0.12 and changes.get("form", "dense") in ("dense", "sparse"):
        changes["shuffle"] = int(rng.integers(1000))
        changes["reordered"] = rng.random() < 0.1 and "form" not in changes
    if rng.random() < (0.3 if kind.name == "perceptron" else 0.1):
        changes["lag"] = int(rng.integers(1, 8))
    if rng.random() < 0.04:
        changes["limit"] = int(rng.integers(0, len(game.y) + 2))
    if rng.random() < 0.03 and task == "binary":
        changes["beside"] = "pa1"
    if rng.random() < 0.03:
        fixed = changes.get("lag") or changes.get("form") == "dicts"  # its labels are not an array
        changes["after"] = _one(rng, [one for one in AFTER if not (fixed and one == "labels reversed")])
    return LearnerGame(**(game.__dict__ | changes))


def _before(rng: Generator, game: LearnerGame, task: str) -> tuple[Floats, list[Any]]:
    """Draw what it learns before the run: rows like these, or each row with labels that cancel out."""
    count = int(rng.integers(1, 7)) if rng.random() < 0.8 else 100
    picked = rng.integers(0, max(len(game.y), 1), count) if game.y else np.zeros(0, dtype=int)
    rows, labels = game.X[picked], [game.y[k] for k in picked]
    how = rng.random()
    if how < 0.45 or task == "multiclass":
        kinds = [one for one in dict.fromkeys(game.y) if one is not None]
        if task == "multiclass":
            return np.repeat(rows, len(kinds), axis=0), kinds * len(rows)
        if game.name == "prank":
            return rows, labels
        paired = [sign * (1.0 if label is None else abs(label)) for label in labels for sign in (-1.0, 1.0)]
        return np.repeat(rows, 2, axis=0), paired
    if how < 0.9:
        return rows, labels
    return rows, [None] * len(labels)


def _one(rng: Generator, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def _panel(rng: Generator, members: Sequence[Kind], rounds: int) -> str:
    """Draw the spec of a panel: a rule over experts, and one to four members."""
    chosen = [spec(rng, _one(rng, members), rounds) for _ in range(int(rng.integers(1, 5)))]
    rule = _one(rng, ["", "rule=squint", "rule=hedge", "rule=boa", "rule=mlpol", "rule=mlprod", "rule=rwm"])
    if rule == "rule=hedge" and rng.random() < 0.5:
        rule += f":horizon={rounds}"
    elif rng.random() < 0.2:
        rule = _one(rng, ["rule=fixed-share", "rule=ftl", "rule=eg", "rule=hedge:doubling=true"])
    return "panel:" + "/".join([*([rule] if rule else []), *chosen])
