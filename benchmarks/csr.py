"""A sparse matrix in memory, one pass: ours against scikit-learn, and against adding the numbers up.

200,000 rows of 76 features out of 47,236, zipf-distributed. Ours predicts every row before it
learns from it, and keeps the predictions; scikit-learn's partial_fit predicts nothing. The third
competitor does no learning at all: X.data.sum() + X.indices.sum() only reads the matrix.

It matters how features are numbered. By frequency, as zipf's law has it and as vocabularies often
are, the weights of frequent ones share cache lines; scattered, as by the alphabet, they do not. And
the more mistakes there are, the more there is to learn. So the comparison is made for both numberings,
with labels that a hidden rule decides, with a tenth of them flipped, and with coin flips.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray
from side_by_side import (
    Line,
    Times,
    arguments,
    clock,
    clock_option,
    cost,
    faster,
    interleave,
    repeats,
    report,
)
from sklearn.linear_model import Perceptron
from zipf_rows import labels, zipf_rows

import noregret as nr
from noregret import _core

LEARNING, READING = faster(2.0), cost(1.5)


def main() -> None:
    """Make the data, measure, print."""
    options = _options()
    for scattered in (False, True):
        X = zipf_rows(20_000 if options.quick else options.rows, scattered=scattered)
        print(
            f"{X.shape[0]:,} rows × {X.nnz // X.shape[0]} of {X.shape[1]:,} features, "
            f"{'scattered' if scattered else 'numbered by frequency'}, {repeats(options)} repeats"
        )
        for noise in (0.0, 0.1, 0.5):
            y = labels(X, noise)
            wrong = nr.play(nr.from_arrays(X, y), nr.Perceptron()).mistake_rate
            print(f"\n{noise:.0%} of the labels flipped: mistakes in {wrong:.1%} of the rounds")
            report(_measure(X, y, options), _lines(), options)
        print()


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, repeats=11, quick_repeats=3)
    clock_option(parser)
    parser.add_argument(
        "--rows", type=int, default=200_000, metavar="N", help="how many rows (default: 200000)"
    )
    return parser.parse_args()


def _measure(X: Any, y: NDArray[np.float64], options: argparse.Namespace) -> Times:
    predictions = np.empty(len(y))

    def play() -> list[NDArray[np.float64]]:
        kept: list[NDArray[np.float64]] = []
        stream = nr.from_arrays(X, y)
        nr.play_all(
            stream, [nr.Perceptron()], watch=lambda *told: kept.append(told[2][0].predictions), scores=False
        )
        return kept

    def native() -> None:
        rows = _core.Matrix(X.data, X.indices, X.indptr, X.shape[1])
        _core.Linear("perceptron", {}, False).play_matrix(rows, y, None, _core.Tally(), predictions, None)

    works = {
        "play": play,
        "native": native,
        "scikit-learn": lambda: Perceptron(shuffle=False).partial_fit(X, y, classes=[-1.0, 1.0]),
        "sums": lambda: X.data.sum() + X.indices.sum(),
    }
    return interleave(works, repeats(options), clock(options))


def _lines() -> list[Line]:
    return [
        Line("nr.play, predictions kept, against scikit-learn", "play", "scikit-learn", LEARNING),
        Line("the native call alone, against scikit-learn", "native", "scikit-learn", LEARNING),
        Line("nr.play, predictions kept, against the two sums", "play", "sums", READING),
        Line("the native call alone, against the two sums", "native", "sums", READING),
    ]


if __name__ == "__main__":
    main()
