"""What each rule costs: nanoseconds a feature, one pass over a sparse matrix, beside scikit-learn's.

Rows of 76 features out of 47,236, zipf-distributed, a tenth of the labels flipped. Ours predicts every row
before it learns from it; partial_fit predicts nothing. Every learner of the registry that takes such rows
is there with its defaults. The more often a rule updates, the more it costs: the share of rounds that
changed it stands beside the time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from side_by_side import Times, arguments, clock, clock_option, interleave, print_table, repeats
from sklearn.linear_model import Perceptron, SGDClassifier
from zipf_rows import labels, zipf_rows

import noregret as nr
from noregret.errors import NoregretError
from noregret.registry import LEARNERS


def main() -> None:
    """Make the data, measure, print."""
    options = _options()
    X = zipf_rows(2_000 if options.quick else options.rows, scattered=True)
    y = labels(X, 0.1)
    chosen = options.learners or [name for name in LEARNERS if _plays(name, X[:50], y[:50])]
    works: dict[str, Callable[[], Any]] = {name: _ours(name, X, y) for name in chosen} | _theirs(X, y)
    times = interleave(works, repeats(options), clock(options))
    print(
        f"{X.shape[0]:,} rows × {X.nnz // X.shape[0]} of {X.shape[1]:,} features, {repeats(options)} repeats"
    )
    print_table(_rows(times, works, X, y))


def _rows(times: Times, works: dict[str, Any], X: Any, y: NDArray[np.float64]) -> list[tuple[str, ...]]:
    base = times.median("scikit-learn SGDClassifier (hinge)")
    rows = [("rule", "ns a feature", "of scikit-learn's SGD", "updates", "mistakes")]
    for name in sorted(works, key=times.median):
        cost = times.median(name)
        told = ("–", "–")
        if not name.startswith("scikit-learn"):
            ledger = nr.play(nr.from_arrays(X, y), nr.learner(name))
            told = (f"{ledger.updates / ledger.rounds:.1%}", f"{ledger.mistake_rate:.1%}")
        rows.append((name, f"{cost / X.nnz * 1e9:.2f}", f"{cost / base:.2f}×", *told))
    return rows


def _plays(name: str, X: Any, y: NDArray[np.float64]) -> bool:
    """Tell whether a learner takes these rows, with numbers that are not 0 or 1."""
    if getattr(nr.learner(name), "task", "binary") != "binary":
        return False
    try:
        nr.play(nr.from_arrays(X, y), nr.learner(name))
    except NoregretError:
        return False
    return True


def _ours(spec: str, X: Any, y: NDArray[np.float64]) -> Callable[[], Any]:
    return lambda: nr.play(nr.from_arrays(X, y), nr.learner(spec))


def _theirs(X: Any, y: NDArray[np.float64]) -> dict[str, Callable[[], Any]]:
    def fit(make: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: make().partial_fit(X, y, classes=[-1.0, 1.0])

    pa = {"loss": "hinge", "penalty": None, "learning_rate": "pa1", "eta0": 1.0, "shuffle": False}
    works = {
        "scikit-learn SGDClassifier (hinge)": fit(lambda: SGDClassifier(shuffle=False)),
        "scikit-learn SGDClassifier (logistic)": fit(lambda: SGDClassifier(loss="log_loss", shuffle=False)),
        "scikit-learn Perceptron": fit(lambda: Perceptron(shuffle=False)),
    }
    if "pa1" in str(SGDClassifier._parameter_constraints["learning_rate"]):
        works["scikit-learn SGDClassifier (PA-I)"] = fit(lambda: SGDClassifier(**pa))
    return works


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, repeats=5, quick_repeats=2)
    clock_option(parser)
    parser.add_argument(
        "--rows", type=int, default=50_000, metavar="N", help="how many rows (default: 50000)"
    )
    parser.add_argument("learners", nargs="*", metavar="SPEC", help="only these")
    return parser.parse_args()


if __name__ == "__main__":
    main()
