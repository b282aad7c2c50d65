"""Figures that others got, and ours beside them: the same data, as many shuffles, one pass.

svmguide3 is from the manual of LIBOL and a1a from SOL, both published. A learner with a parameter is
tuned as they did it: every value of a grid plays one more shuffle, and the best one is taken. The two
figures for agaricus are not from a paper: they keep watch over the comparison of Winnow and the
Perceptron.

The data is not part of this repository. Give the folder that holds it, or set NOREGRET_DATA:
svmguide3_libol.npz (arrays X and y), a1a and agaricus.train (libsvm text).
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from side_by_side import print_table

import noregret as nr
from noregret.natures.arrays import ArrayStream
from noregret.natures.order import in_memory

TUNING = 1_000_003  # the seed of the shuffle that chooses parameters


class Figure(NamedTuple):
    """A mean over shuffles, and how far from it another set of shuffles may be."""

    name: str
    source: str
    file: str
    specs: tuple[str, ...]  # the grid; "{columns}" stands for the width of the array
    shuffles: int
    theirs: float
    tolerance: float
    is_rate: bool = True  # mistakes a round, not mistakes


def _libol(name: str, theirs: float, *specs: str) -> Figure:
    """Two of their standard deviations are .024 for the Perceptron; a third of that will do."""
    return Figure(f"svmguide3, {name}", "LIBOL", "svmguide3_libol.npz", specs, 20, theirs, 0.008)


def _sol(name: str, accuracy: float, *specs: str) -> Figure:
    return Figure(f"a1a, {name}", "SOL", "a1a", specs, 10, 1.0 - accuracy, 0.01)


def _agaricus(name: str, theirs: float, tolerance: float, spec: str) -> Figure:
    return Figure(f"agaricus, {name}", "–", "agaricus.train", (spec,), 20, theirs, tolerance, False)


def grid(spec: str, values: Sequence[float]) -> list[str]:
    """Write a value in the place of "{}", one spec each; "{inverse}" is one over it."""
    return [spec.format(value, inverse=1.0 / value, columns="{columns}") for value in values]


POWERS = [2.0**k for k in range(-4, 5)]
HALVES = [0.05 * k for k in range(11, 20)]  # 0.55 to 0.95
TENTHS = [0.1 * k for k in range(1, 10)]
_ALMA = [s for C in POWERS for s in grid(f"alma:alpha={{}},B={{inverse}},C={C},normalize=false", HALVES)]
_ADA = [s for delta in (1, 10) for s in grid(f"adagrad:form=descent,rate={{}},delta={delta}", POWERS)]

FIGURES = (
    _libol("Perceptron", 0.332, "perceptron"),
    _libol("ALMA", 0.230, *_ALMA),
    _libol("OGD", 0.237, "ogd"),
    _libol("PA", 0.318, "pa"),
    _libol("PA-I", 0.236, *grid("pa1:C={}", POWERS)),
    _libol("PA-II", 0.253, *grid("pa2:C={}", POWERS)),
    _sol("Perceptron", 0.7713, "perceptron"),
    _sol("OGD", 0.8108, "ogd"),
    _sol("PA", 0.7759, "pa"),
    _sol("PA-I", 0.8011, *grid("pa1:C={}", POWERS)),
    _sol("PA-II", 0.7913, *grid("pa2:C={}", POWERS)),
    _sol("ALMA", 0.8087, *grid("alma:alpha={},B={inverse}", TENTHS)),
    _sol("Ada-FOBOS", 0.8055, *_ADA),
    _sol("Ada-RDA", 0.8114, *(spec.replace("descent", "averaging") for spec in _ADA)),
    _agaricus("Perceptron", 98.0, 5.0, "perceptron"),
    _agaricus("Winnow", 87.0, 4.0, "winnow:promotion=2,threshold={columns}"),
)


def load(path: Path) -> ArrayStream:
    """Read a file into memory, whole, to be shuffled."""
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return nr.from_arrays(arrays["X"], arrays["y"])
    return in_memory(nr.read(path))


def tuned(figure: Figure, stream: ArrayStream) -> str:
    """The last of the best specs of the grid, on a shuffle of its own."""
    columns = stream.matrix.shape[1]  # a libsvm index is its column, so the column 0 counts too
    specs = [spec.format(columns=columns) for spec in figure.specs]
    if len(specs) == 1:
        return specs[0]
    mistakes = [nr.play(nr.shuffled(stream, TUNING), nr.learner(spec)).mistakes for spec in specs]
    return max(zip(mistakes, range(len(specs)), specs, strict=True), key=lambda row: (-row[0], row[1]))[2]


def reproduce(figure: Figure, folder: Path, shuffles: int | None = None) -> tuple[str, list[float]]:
    """The spec that was chosen, and what it got on each shuffle: mistakes, or their rate."""
    stream = load(folder / figure.file)
    spec = tuned(figure, stream)
    numbers = []
    for seed in range(figure.shuffles if shuffles is None else shuffles):
        ledger = nr.play(nr.shuffled(stream, seed), nr.learner(spec))
        numbers.append(ledger.mistake_rate if figure.is_rate else float(ledger.mistakes))
    return spec, numbers


def main() -> None:
    """Print the table."""
    options = _options()
    rows: list[tuple[str, ...]] = [
        ("figure", "source", "shuffles", "theirs", "ours", "spread", "apart", "allowed", "", "learner")
    ]
    for figure in FIGURES:
        spec, numbers = reproduce(figure, options.folder, 3 if options.quick else options.shuffles)
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
                spec,
            )
        )
    print_table(rows)
    print("spread: the standard deviation between shuffles; learner: as tuned on one shuffle more")


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
