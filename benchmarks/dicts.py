"""One example at a time, predict and then learn: ours against River and scikit-learn.

Dicts of 76 named features go to River's linear_model.Perceptron and PAClassifier; rows of a dense
array of 76 columns go to scikit-learn's predict and partial_fit. Ours is the Perceptron each time.

Three kinds of dicts: the columns of a table, the same 76 in every dict; the words of a vocabulary
of 47,236, zipf-distributed, so that new ones turn up to the end; and the same words as a parser
makes them, where no two dicts share a string object and every name has to be looked up.

As in a stream, a dict is made shortly before it is used, a few dozen at a time; the clock stands still
meanwhile. With --kept all of them are made beforehand and have to come from memory again. Every repeat
begins with a new learner: --examples 2000, which take ours three milliseconds, show it warming up.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from river import linear_model
from side_by_side import (
    Clock,
    Line,
    Work,
    arguments,
    clock,
    clock_option,
    faster,
    interleave,
    repeats,
    report,
)
from sklearn.linear_model import Perceptron
from zipf_rows import PER_ROW, labels, zipf_rows

import noregret as nr

Make = Callable[[int], dict[str, float]]
RIVER, SCIKIT = faster(10.0), faster(300.0)
AT_ONCE = 64  # dicts
RULES = (linear_model.Perceptron, linear_model.PAClassifier)


def main() -> None:
    """Make the examples, measure, print."""
    parser = arguments(__doc__, repeats=9, quick_repeats=3)
    clock_option(parser)
    parser.add_argument("--kept", action="store_true", help="make all dicts beforehand")
    parser.add_argument("--examples", type=int, default=10_000, metavar="N", help="how many (default: 10000)")
    options = parser.parse_args()
    count = 200 if options.quick else max(options.examples, 10)
    _dicts(count, options)
    _rows(max(count // 50, 10), options)


def _dicts(count: int, options: argparse.Namespace) -> None:
    X = zipf_rows(count)
    words_say, columns_say = labels(X, 0.1).tolist(), _column_labels(X)
    watch = Stopwatch(clock(options))
    works: dict[str, Work] = {}
    lines = []
    for kind, make in _makers(X).items():
        y = columns_say if kind == "columns of a table" else words_say
        examples = Examples(make, y, watch, kept=options.kept)
        works[f"ours, {kind}"] = partial(_ours, examples)
        for rule in RULES:
            name = f"{rule.__name__}, {kind}"
            works[name] = partial(_river, rule, examples)
            lines.append(Line(f"against River's {name}", f"ours, {kind}", name, RIVER))
    times = repeats(options)
    print(f"{count:,} dicts of {PER_ROW} features, {times} repeats; time for one example, predict + learn")
    report(interleave(works, times, watch), lines, options, per=count)


class Stopwatch:
    """A clock that stands still inside a `with`."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.stood = self.began = 0.0

    def __call__(self) -> float:
        return self.clock() - self.stood

    def __enter__(self) -> None:
        self.began = self.clock()

    def __exit__(self, *_: object) -> None:
        self.stood += self.clock() - self.began


class Examples:
    """Dicts with their labels, made as they are wanted; or kept, once made."""

    def __init__(self, make: Make, y: list[float], watch: Stopwatch, *, kept: bool) -> None:
        self.make, self.y, self.watch = make, y, watch
        self.all = [make(r) for r in range(len(y))] if kept else None

    def __iter__(self) -> Iterator[Iterable[tuple[dict[str, float], float]]]:
        """Give a few dozen at a time, so that a generator is not what is measured."""
        for begin in range(0, len(self.y), AT_ONCE):
            with self.watch:
                told = self.y[begin : begin + AT_ONCE]
                if self.all is None:
                    few = [self.make(r) for r in range(begin, begin + len(told))]
                else:
                    few = self.all[begin : begin + len(told)]
            yield zip(few, told, strict=True)


def _column_labels(X: Any) -> list[float]:
    """Label the rows of the table by a vote of its columns, half for and half against."""
    votes = np.where(np.arange(PER_ROW) % 2 == 0, 1.0, -1.0)
    return np.where(X.data.reshape(-1, PER_ROW) @ votes >= 0, 1.0, -1.0).tolist()


def _makers(X: Any) -> dict[str, Make]:
    """Say how a sparse row becomes a dict of each kind; the values are the same in all of them."""
    columns = [f"column{j}" for j in range(PER_ROW)]
    words = [f"word{j}" for j in range(X.shape[1])]

    def made(r: int, names: Callable[[list[int]], list[str]]) -> dict[str, float]:
        span = slice(X.indptr[r], X.indptr[r + 1])
        return dict(zip(names(X.indices[span].tolist()), X.data[span].tolist(), strict=True))

    return {
        "columns of a table": partial(made, names=lambda _: columns),
        "words of a vocabulary": partial(made, names=lambda met: [words[j] for j in met]),
        "words from a parser": partial(made, names=lambda met: [f"word{j}" for j in met]),
    }


def _ours(examples: Iterable[Iterable[tuple[Any, float]]]) -> list[float]:
    learner = nr.Perceptron()
    predictions = []
    for few in examples:
        for x, label in few:
            predictions.append(learner.predict(x))
            learner.learn(x, label)
    return predictions


def _river(rule: Any, examples: Examples) -> list[bool]:
    learner = rule()
    predictions = []
    for few in examples:
        for x, label in few:
            predictions.append(learner.predict_one(x))
            learner.learn_one(x, label > 0)
    return predictions


def _rows(count: int, options: argparse.Namespace) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(count, PER_ROW))
    y = np.where(rows @ rng.normal(size=PER_ROW) >= 0, 1.0, -1.0)
    told = y.tolist()
    times = repeats(options)
    works: dict[str, Work] = {
        "ours": partial(_ours, [list(zip(rows, told, strict=True))]),
        "scikit-learn": partial(_scikit, rows, y),
    }
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
