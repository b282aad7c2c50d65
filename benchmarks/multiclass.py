"""Letters, one pass: mistakes and time of our multiclass learners beside scikit-learn's and River's.

letter.scale (26 classes, 16 features; the folder is NOREGRET_DATA) is predicted row by row, each before
its label is shown, in the order of the file or shuffled by --seed. scikit-learn's learners are one against
the rest, told all classes at the first partial_fit; River's are OneVsRestClassifier and softmax regression.
All of ours have a bias, as theirs do; scikit-learn's are shown ten rows at a time. Times are of one run:
compare them only with each other. The peers take some minutes; a line tells of each when it is done, and the
table, ours and theirs, comes at the end.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from river import linear_model, multiclass
from side_by_side import print_table, shown
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron, SGDClassifier

import noregret as nr

OURS = (
    "multiclass-perceptron:bias=true",
    "multiclass-pa:bias=true",
    "multiclass-pa1:C=0.1,bias=true",
    "multiclass-pa2:C=0.1,bias=true",
    "multiclass-arow:bias=true",
    "multiclass-arow:bias=true,scale=standard",
    "multiclass-ogd:bias=true",
    "multiclass-ogd:loss=logistic,bias=true",
    "multiclass-winnow:bias=true",
    "multiclass-majority",
    "multiclass-last-label",
)


def main() -> None:
    """Play everyone over the same rows and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=15_000, help="the first so many rows (default: all)")
    parser.add_argument("--seed", type=int, help="shuffle the rows (default: the order of the file)")
    parser.add_argument("--quick", action="store_true", help="500 rows: does it run at all?")
    options = parser.parse_args()
    X, y = _letters(500 if options.quick else options.rows, options.seed)
    ours = _timed_all({f"noregret {spec}": partial(_play_ours, spec, X, y) for spec in OURS})
    theirs = _timed_all(
        {f"scikit-learn {name}": partial(_play_scikit, model, X, y) for name, model in _scikit().items()}
        | {f"River {name}": partial(_play_river, model, X, y) for name, model in _river().items()}
    )
    unit = min(one.seconds for one in ours)
    print(f"{len(y):,} letters, one pass, predicted before they are learned")
    header = ("learner", "mistakes", "rate", "a row", "× our fastest")
    print_table([header, *_rows(ours, len(y), unit), ("", "", "", "", ""), *_rows(theirs, len(y), unit)])


def _letters(count: int, seed: int | None) -> tuple[Any, Any]:
    folder = os.environ.get("NOREGRET_DATA")
    if folder is None:
        raise SystemExit("set NOREGRET_DATA to the folder that has letter.scale.gz")
    X, y = load_svmlight_file(str(Path(folder) / "letter.scale.gz"))
    order = np.arange(len(y)) if seed is None else np.random.default_rng(seed).permutation(len(y))
    return X.toarray()[order[:count]], y[order[:count]].astype(int)


def _scikit() -> dict[str, Any]:
    return {
        "Perceptron": Perceptron(),
        "PA-I (C=0.1)": SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=0.1),
        "SGD (hinge)": SGDClassifier(),
        "SGD (log loss)": SGDClassifier(loss="log_loss"),
    }


def _river() -> dict[str, Any]:
    return {
        "OneVsRest(Perceptron)": multiclass.OneVsRestClassifier(linear_model.Perceptron()),
        "OneVsRest(PA, C=0.1)": multiclass.OneVsRestClassifier(linear_model.PAClassifier(C=0.1)),
        "OneVsRest(logistic)": multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
        "softmax": linear_model.SoftmaxRegression(),
    }


def _play_ours(spec: str, X: Any, y: Any) -> int:
    return nr.play(nr.from_arrays(X, y), nr.learner(spec)).mistakes


def _play_scikit(model: Any, X: Any, y: Any) -> int:
    """Ten rows at a time: predict them, then learn them; a row at a time takes ten times as long."""
    classes, mistakes = np.unique(y), 0
    for begin in range(0, len(y), 10):
        part, told = X[begin : begin + 10], y[begin : begin + 10]
        said = model.predict(part) if begin else np.full(len(told), classes[0])
        mistakes += int(np.sum(said != told))
        model.partial_fit(part, told, classes=classes if begin == 0 else None)
    return mistakes


def _play_river(model: Any, X: Any, y: Any) -> int:
    rows = [dict(enumerate(row)) for row in X.tolist()]
    mistakes = 0
    for x, label in zip(rows, y.tolist(), strict=True):
        mistakes += model.predict_one(x) != label
        model.learn_one(x, label)
    return mistakes


class Played(NamedTuple):
    """One learner: how often it erred, and how long it took."""

    name: str
    mistakes: int
    seconds: float


def _timed_all(work: Mapping[str, Callable[[], int]]) -> list[Played]:
    """Play one after the other; the fewest mistakes come first."""
    played = []
    for name, play in work.items():
        began = time.perf_counter()
        mistakes = play()
        played.append(Played(name, mistakes, time.perf_counter() - began))
        print(f"{name}: {mistakes:,} mistakes, {played[-1].seconds:.1f} s", flush=True)
    return sorted(played, key=lambda one: one.mistakes)


def _rows(played: Sequence[Played], count: int, unit: float) -> list[tuple[str, ...]]:
    return [
        (
            one.name,
            f"{one.mistakes:,}",
            f"{one.mistakes / count:.2%}",
            shown(one.seconds / count),
            f"{one.seconds / unit:.1f}",
        )
        for one in played
    ]


if __name__ == "__main__":
    main()
