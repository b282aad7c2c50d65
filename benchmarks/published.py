"""Figures that others got, and ours beside them: the same data, as many shuffles, one pass.

svmguide3 is from the manual of LIBOL and a1a from SOL, both published. The two for agaricus are
not from a paper: they keep watch over the comparison of Winnow and the Perceptron.

The data is not part of this repository. Give the folder that holds it, or set NOREGRET_DATA:
svmguide3_libol.npz (arrays X and y), a1a and agaricus.train (libsvm text).
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from side_by_side import print_table

import noregret as nr
from noregret.natures.arrays import ArrayStream
from noregret.natures.order import in_memory


class Figure(NamedTuple):
    """A mean over shuffles, and how far from it another set of shuffles may be."""

    name: str
    source: str
    file: str
    learner: Callable[[int], nr.Perceptron | nr.Winnow]  # made for so many columns
    shuffles: int
    theirs: float
    tolerance: float
    is_rate: bool  # mistakes a round, not mistakes


def _perceptron(columns: int) -> nr.Perceptron:
    return nr.Perceptron()


def _winnow(columns: int) -> nr.Winnow:
    """Θ is the width of the array: a libsvm index is its column, so the column 0 counts too."""
    return nr.Winnow(promotion=2.0, threshold=columns)


FIGURES = (
    Figure("svmguide3, Perceptron", "LIBOL", "svmguide3_libol.npz", _perceptron, 20, 0.332, 0.006, True),
    Figure("a1a, Perceptron", "SOL", "a1a", _perceptron, 10, 0.229, 0.008, True),
    Figure("agaricus, Perceptron", "–", "agaricus.train", _perceptron, 20, 98.0, 5.0, False),
    Figure("agaricus, Winnow", "–", "agaricus.train", _winnow, 20, 87.0, 4.0, False),
)


def load(path: Path) -> ArrayStream:
    """Read a file into memory, whole, to be shuffled."""
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return nr.from_arrays(arrays["X"], arrays["y"])
    return in_memory(nr.read(path))


def reproduce(figure: Figure, folder: Path, shuffles: int | None = None) -> list[float]:
    """Play a figure's learner over its data, once for each shuffle: mistakes, or their rate."""
    stream = load(folder / figure.file)
    columns = stream.matrix.shape[1]
    numbers = []
    for seed in range(figure.shuffles if shuffles is None else shuffles):
        ledger = nr.play(nr.shuffled(stream, seed), figure.learner(columns))
        numbers.append(ledger.mistake_rate if figure.is_rate else float(ledger.mistakes))
    return numbers


def main() -> None:
    """Print the table."""
    options = _options()
    rows: list[tuple[str, ...]] = [
        ("figure", "source", "shuffles", "theirs", "ours", "spread", "apart", "allowed", "")
    ]
    for figure in FIGURES:
        numbers = reproduce(figure, options.folder, 3 if options.quick else options.shuffles)
        digits = ".3f" if figure.is_rate else ".1f"
        mean = statistics.mean(numbers)
        told = (figure.theirs, mean, statistics.stdev(numbers), abs(mean - figure.theirs), figure.tolerance)
        verdict = "reproduced" if told[3] <= figure.tolerance else "NOT REPRODUCED"
        rows.append(
            (
                figure.name,
                figure.source,
                str(len(numbers)),
                *(format(number, digits) for number in told),
                verdict,
            )
        )
    print_table(rows)
    print("spread: the standard deviation between shuffles")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=os.environ.get("NOREGRET_DATA"),
        help="default: $NOREGRET_DATA",
    )
    parser.add_argument(
        "--shuffles", type=int, metavar="N", help="so many for each figure (default: as theirs, 10 or 20)"
    )
    parser.add_argument("--quick", action="store_true", help="three shuffles: does it run at all?")
    options = parser.parse_args()
    if options.folder is None:
        parser.error("give the folder of the data, or set NOREGRET_DATA to it")
    options.folder = Path(options.folder)
    if options.shuffles is not None and options.shuffles < 2:
        parser.error("--shuffles must be 2 or more, or there is no spread")
    if missing := sorted({f.file for f in FIGURES if not (options.folder / f.file).exists()}):
        parser.error(f"{options.folder} has no {', '.join(missing)}")
    return options


if __name__ == "__main__":
    main()
