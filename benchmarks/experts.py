"""Exponential weights over a whole matrix of losses, against one read of that matrix and a clean numpy loop.

One read is the faster of numpy's sum and maximum. The numpy loop is what a careful person writes:
logarithmic weights, one row at a time, no allocation that can be avoided; it is timed on fewer rows and
counted by the row. Growth: the time by the row, from 10 experts to 10,000, and the time by the cell, from
few rounds to many.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from side_by_side import Line, Times, arguments, cost, faster, interleave, print_table, repeats, report, shown

import noregret as nr
from noregret import _core

Floats = NDArray[np.float64]


def numpy_loop(losses: Floats) -> float:
    """Hedge with η_t = 2√(ln N/t), as one writes it in numpy."""
    n = losses.shape[1]
    total, weights = np.zeros(n), np.empty(n)
    log_n, own = math.log(n), 0.0
    for t, row in enumerate(losses):
        np.subtract(total, total.min(), out=weights)
        weights *= -2.0 * math.sqrt(log_n / (t + 1))
        np.exp(weights, out=weights)
        own += float(weights @ row) / float(weights.sum())
        total += row
    return own


def by_kernel(name: str, losses: Floats) -> Any:
    def work() -> None:
        _core.choose_kernels(name)
        nr.Hedge(losses.shape[1]).play(losses)

    return work


def headline(rows: int, count: int) -> None:
    """10⁵ × 1,000 and one read of it; 10 and 1,000 experts against numpy."""
    rng = np.random.default_rng(0)
    wide, narrow = rng.random((rows, 1000)), rng.random((rows, 10))
    few = max(rows // 20, 1)
    best = _core.kernel_names()[-1]
    works = {name: by_kernel(name, wide) for name in _core.kernel_names()}
    works |= {"one read": lambda: wide.sum(), "another read": lambda: wide.max()}
    works |= {"narrow": by_kernel(best, narrow), "numpy narrow": lambda: numpy_loop(narrow[:few])}
    works |= {"numpy wide": lambda: numpy_loop(wide[:few])}
    times = interleave(works, count)
    scale = rows / few
    seconds = {
        name: [each * (scale if name.startswith("numpy") else 1.0) for each in times.seconds[name]]
        for name in works
    }
    reads = zip(seconds["one read"], seconds.pop("another read"), strict=True)
    seconds["one read"] = [min(pair) for pair in reads]
    print(f"{rows:,} rounds; kernels: {', '.join(_core.kernel_names())}; times by the round\n")
    kernels = [
        Line(f"1,000 experts, {name}, against one read", name, "one read", cost(4) if name == best else None)
        for name in _core.kernel_names()
    ]
    loops = [
        Line("10 experts against the numpy loop", "narrow", "numpy narrow", faster(20)),
        Line("1,000 experts against the numpy loop", best, "numpy wide", faster(4)),
    ]
    report(Times(seconds), [*kernels, *loops], rows)


def growth(cells: int, count: int) -> None:
    """Cost by the cell should not depend on the shape, but for what a round costs by itself."""
    print("\nGrowth: the same number of cells in other shapes")
    rows = [("experts", "rounds", "by the round", "by the cell")]
    for n in (10, 100, 1000, 10_000):
        losses = np.random.default_rng(1).random((cells // n, n))
        times = interleave({"play": by_kernel(_core.kernel_names()[-1], losses)}, count)
        each = times.median("play")
        rows.append((f"{n:,}", f"{len(losses):,}", shown(each / len(losses)), shown(each / losses.size)))
    print_table(rows)


def every_rule(rows: int, count: int) -> None:
    """All the rules that take losses, on one matrix."""
    print(f"\nEvery rule: {rows:,} rounds × 100 experts")
    losses = np.random.default_rng(2).random((rows, 100))
    specs = ("hedge", "rwm", "eg", "adahedge", "fixed-share", "mlpol", "boa", "mlprod", "squint", "ftl")
    times = interleave({s: (lambda s=s: nr.expert_rule(s, 100).play(losses)) for s in specs}, count)
    table = [("rule", "by the round", "times hedge")]
    for spec in specs:
        each = times.median(spec)
        table.append((spec, shown(each / rows), f"{each / times.median('hedge'):.1f}×"))
    print_table(table)


def main() -> None:
    options = arguments(__doc__, 5, 2).parse_args()
    count = repeats(options)
    rows = 5_000 if options.quick else 100_000
    headline(rows, count)
    growth(rows * 100, count)
    every_rule(rows // 20, count)
    _core.choose_kernels(_core.kernel_names()[-1])


if __name__ == "__main__":
    main()
