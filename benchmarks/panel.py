"""What a panel costs: sixteen learners of one rule in one pass, side by side, against one of them alone.

200,000 rows of 76 features out of 47,236, zipf-distributed, a tenth of the labels flipped. The sixteen
differ in their one parameter, so that they make different mistakes and move in different rounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from side_by_side import Line, arguments, clock, clock_option, cost, interleave, repeats, report
from zipf_rows import labels, zipf_rows

import noregret as nr
from noregret import _core

LANES = 16
GOAL = cost(4.0)
GRIDS = {
    "perceptron": [f"perceptron:rate={2.0**k:g}" for k in range(LANES)],
    "arow": [f"arow:ridge={2.0 ** (k - 6):g}" for k in range(LANES)],
    "pa1": [f"pa1:C={2.0 ** (k - 10):g}" for k in range(LANES)],
    "ogd, logistic": [f"ogd:loss=logistic,rate={2.0 ** (k - 8):g}" for k in range(LANES)],
    "adagrad": [f"adagrad:loss=logistic,rate={2.0 ** (k - 8):g}" for k in range(LANES)],
}


def main() -> None:
    """Make the data, measure, print."""
    options = _options()
    X = zipf_rows(20_000 if options.quick else options.rows)
    y = labels(X, 0.1)
    print(
        f"{X.shape[0]:,} rows × {X.nnz // X.shape[0]} of {X.shape[1]:,} features, {repeats(options)} repeats"
    )
    works: dict[str, Callable[[], Any]] = {}
    lines = []
    for name, specs in GRIDS.items():
        works[f"{name} alone"] = _alone(specs[LANES // 2], X, y)
        works[f"{name} × {LANES}"] = _together(specs, X, y)
        lines.append(Line(f"{LANES} × {name}, against one", f"{name} × {LANES}", f"{name} alone", GOAL))
    works["auto"] = lambda: nr.play(nr.from_arrays(X, y), nr.learner("auto"))
    lines.append(Line("the whole of auto, against one perceptron", "auto", "perceptron alone", cost(40.0)))
    report(interleave(works, repeats(options), clock(options)), lines, options)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, repeats=7, quick_repeats=2)
    clock_option(parser)
    parser.add_argument(
        "--rows", type=int, default=200_000, metavar="N", help="how many rows (default: 200000)"
    )
    return parser.parse_args()


def _alone(spec: str, X: Any, y: NDArray[np.float64]) -> Callable[[], None]:
    predictions = np.empty(len(y))

    def work() -> None:
        rows = _core.Matrix(X.data, X.indices, X.indptr, X.shape[1])
        nr.learner(spec).play_matrix(rows, y, None, _core.Tally(), predictions, None)

    return work


def _together(specs: list[str], X: Any, y: NDArray[np.float64]) -> Callable[[], None]:
    said = np.empty(len(specs) * len(y))

    def work() -> None:
        group = _core.Group.of([nr.learner(spec) for spec in specs])
        if group is None:
            raise SystemExit(f"{specs[0]} and its like do not stand side by side")
        group.play(_core.Matrix(X.data, X.indices, X.indptr, X.shape[1]), y, None, said)

    return work


if __name__ == "__main__":
    main()
