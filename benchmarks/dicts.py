"""One example at a time, predict and then learn: ours against River and scikit-learn.

Dicts of 76 named features go to River's linear_model.Perceptron and PAClassifier; rows of a dense
array of 76 columns go to scikit-learn's predict and partial_fit. Ours is the Perceptron each time.

Three kinds of dicts: the columns of a table, the same 76 in every dict; the words of a vocabulary
of 47,236, zipf-distributed, so that new ones turn up to the end; and the same words as a parser
makes them, where no two dicts share a string object and every name has to be looked up.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from river import linear_model
from side_by_side import Line, Work, arguments, clock, clock_option, faster, interleave, repeats, report
from sklearn.linear_model import Perceptron
from zipf_rows import PER_ROW, labels, zipf_rows

import noregret as nr

Dicts = list[dict[str, float]]
RIVER, SCIKIT = faster(8.0), faster(300.0)
RULES = (linear_model.Perceptron, linear_model.PAClassifier)


def main() -> None:
    """Make the examples, measure, print."""
    parser = arguments(__doc__, repeats=9, quick_repeats=3)
    clock_option(parser)
    parser.add_argument("--examples", type=int, default=2_000, metavar="N", help="how many (default: 2000)")
    options = parser.parse_args()
    count = 200 if options.quick else max(options.examples, 10)
    _dicts(count, options)
    _rows(max(count // 10, 10), options)


def _dicts(count: int, options: argparse.Namespace) -> None:
    X = zipf_rows(count)
    words_say, columns_say = labels(X, 0.1).tolist(), _column_labels(X)
    works: dict[str, Work] = {}
    lines = []
    for kind, examples in _examples(X).items():
        y = columns_say if kind == "columns of a table" else words_say
        works[f"ours, {kind}"] = partial(_ours, examples, y)
        for rule in RULES:
            name = f"{rule.__name__}, {kind}"
            works[name] = partial(_river, rule, examples, y)
            lines.append(Line(f"against River's {name}", f"ours, {kind}", name, RIVER))
    times = repeats(options)
    print(f"{count:,} dicts of {PER_ROW} features, {times} repeats; time for one example, predict + learn")
    report(interleave(works, times, clock(options)), lines, options, per=count)


def _column_labels(X: Any) -> list[float]:
    """Label the rows of the table by a vote of its columns, half for and half against."""
    votes = np.where(np.arange(PER_ROW) % 2 == 0, 1.0, -1.0)
    return np.where(X.data.reshape(-1, PER_ROW) @ votes >= 0, 1.0, -1.0).tolist()


def _examples(X: Any) -> dict[str, Dicts]:
    """Turn sparse rows into dicts of each kind; the values are the same in all of them."""
    columns = [f"column{j}" for j in range(PER_ROW)]
    words = [f"word{j}" for j in range(X.shape[1])]
    kinds: dict[str, Dicts] = {
        "columns of a table": [],
        "words of a vocabulary": [],
        "words from a parser": [],
    }
    for r in range(X.shape[0]):
        span = slice(X.indptr[r], X.indptr[r + 1])
        met, values = X.indices[span].tolist(), X.data[span].tolist()
        for kind, names in zip(
            kinds, (columns, [words[j] for j in met], [f"word{j}" for j in met]), strict=True
        ):
            kinds[kind].append(dict(zip(names, values, strict=True)))
    return kinds


def _ours(examples: Dicts | NDArray[np.float64], y: list[float]) -> list[float]:
    learner = nr.Perceptron()
    predictions = []
    for x, label in zip(examples, y, strict=True):
        predictions.append(learner.predict(x))
        learner.learn(x, label)
    return predictions


def _river(rule: Any, examples: Dicts, y: list[float]) -> list[bool]:
    learner = rule()
    predictions = []
    for x, label in zip(examples, y, strict=True):
        predictions.append(learner.predict_one(x))
        learner.learn_one(x, label > 0)
    return predictions


def _rows(count: int, options: argparse.Namespace) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(count, PER_ROW))
    y = np.where(rows @ rng.normal(size=PER_ROW) >= 0, 1.0, -1.0)
    told = y.tolist()
    times = repeats(options)
    works: dict[str, Work] = {"ours": partial(_ours, rows, told), "scikit-learn": partial(_scikit, rows, y)}
    lines = [Line("against scikit-learn's predict and partial_fit", "ours", "scikit-learn", SCIKIT)]
    print(f"\n{count:,} rows of {PER_ROW} columns, {times} repeats; time for one row, predict + learn")
    report(interleave(works, times, clock(options)), lines, options, per=count)


def _scikit(rows: NDArray[np.float64], y: NDArray[np.float64]) -> list[float]:
    """Predict from the second row on: before the first there is nothing to predict with."""
    learner = Perceptron(shuffle=False).partial_fit(rows[:1], y[:1], classes=[-1.0, 1.0])
    predictions = []
    for r in range(1, len(rows)):
        predictions.append(learner.predict(rows[r : r + 1])[0])
        learner.partial_fit(rows[r : r + 1], y[r : r + 1])
    return predictions


if __name__ == "__main__":
    main()
