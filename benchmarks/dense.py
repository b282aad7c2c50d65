"""Dense rows in memory: one pass over 60,000 × 784, against scikit-learn's Perceptron.partial_fit."""

from __future__ import annotations

import numpy as np
from side_by_side import Line, arguments, clock, clock_option, faster, interleave, repeats, report
from sklearn.linear_model import Perceptron

import noregret as nr


def main() -> None:
    """Make the rows, measure, print."""
    parser = arguments(__doc__, repeats=7, quick_repeats=2)
    clock_option(parser)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    X = rng.random((3_000 if options.quick else 60_000, 784)) * (rng.random(784) < 0.5)
    y = np.where(X @ rng.normal(size=784) + rng.normal(size=len(X)) > 0, 1.0, -1.0)
    print(f"{X.shape[0]:,} × {X.shape[1]} of float64, {repeats(options)} repeats")
    works = {
        "ours": lambda: nr.play(nr.from_arrays(X, y), nr.Perceptron()),
        "scikit-learn": lambda: Perceptron(shuffle=False).partial_fit(X, y, classes=[-1.0, 1.0]),
    }
    line = Line(
        "nr.play, with predictions, against scikit-learn without", "ours", "scikit-learn", faster(2.0)
    )
    report(interleave(works, repeats(options), clock(options)), [line], options)


if __name__ == "__main__":
    main()
