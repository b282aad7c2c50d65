"""The Littlestone dimension: the native search against the plain recursion, and growth with the class.

The plain recursion is the definition written down (noregret/reference/finite.py). It is timed where it
ends within seconds; the search goes on to classes that the recursion would not finish.

    python benchmarks/dimension.py [--quick] [--repeats N]
"""

from __future__ import annotations

import argparse
import time
from functools import partial

from side_by_side import Line, Work, arguments, faster, interleave, print_table, repeats, report, shown

import noregret as nr
from noregret.reference import finite

SMALL = ("thresholds:5", "thresholds:7", "disjunctions:3", "all:4", "all:5", "random:8,6,0", "random:16,6,0")
GROWING = {
    "thresholds": [f"thresholds:{2**k - 1}" for k in range(4, 13)],
    "disjunctions": [f"disjunctions:{n}" for n in range(4, 13)],
    "general disjunctions": [f"disjunctions:{n},general" for n in range(3, 9)],
    "random, 64 points": [f"random:{2**k},64,0" for k in range(4, 12)],
    "halfspaces": [
        "halfspaces:3,1",
        "halfspaces:3,2",
        "halfspaces:4,1",
        "halfspaces:4,2",
        "halfspaces:5,1",
        "halfspaces:5,2",
    ],
    "decision lists": [
        f"decision-lists:{n},{k}" for n, k in ((3, 2), (4, 2), (4, 3), (4, 4), (5, 3), (5, 4))
    ],
    "harder": ["random:1000,200,0", "intervals:100", "parities:10", "all:12", "singletons:4096"],
}


def against_the_recursion(options: argparse.Namespace) -> None:
    works: dict[str, Work] = {}
    lines = []
    for spec in SMALL[:3] if options.quick else SMALL:
        made = nr.hypothesis_class(spec)
        works[spec] = partial(nr.littlestone_dimension, made)
        works[f"plain {spec}"] = partial(finite.littlestone, made.table().tolist())
        lines.append(Line(spec, spec, f"plain {spec}", faster(10)))
    report(interleave(works, repeats(options)), lines, options)


def growth(quick: bool) -> None:
    rows = [("class", "hypotheses", "points", "Ldim", "time", "growth")]
    for family, specs in GROWING.items():
        before = None
        for spec in specs[:3] if quick else specs:
            made = nr.hypothesis_class(spec)
            began = time.perf_counter()
            depth = nr.littlestone_dimension(made)
            seconds = time.perf_counter() - began
            factor = "" if before is None or family == "harder" else f"{seconds / before:.1f}×"
            rows.append((spec, f"{made.size:,}", f"{made.points:,}", str(depth), shown(seconds), factor))
            before = seconds
    print_table(rows)


def main() -> None:
    options = arguments(__doc__, repeats=5, quick_repeats=1).parse_args()
    against_the_recursion(options)
    print()
    growth(options.quick)


if __name__ == "__main__":
    main()
