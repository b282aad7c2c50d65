"""Times several pieces of work in one run, interleaved, and prints the ratios that matter.

Absolute times move by a factor of two from hour to hour on a shared machine. So nothing here
compares a time with a number written down earlier: every repeat does each piece of work once, one
after the other, and only ratios between medians of the same run are held against a goal.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Work = Callable[[], Any]
Clock = Callable[[], float]


class Goal(NamedTuple):
    """What the ratio should be: at least (`times faster`) or at most (`times the cost`)."""

    at_least: bool
    value: float

    def met(self, ratio: float) -> bool:
        return ratio >= self.value if self.at_least else ratio <= self.value

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.value:g}×"


def faster(times: float) -> Goal:
    """Ask for a peer that takes so many times as long as we do."""
    return Goal(True, times)


def cost(times: float) -> Goal:
    """Ask for no more than so many times what the peer takes."""
    return Goal(False, times)


class Line(NamedTuple):
    """One comparison of the table."""

    work: str
    ours: str
    peer: str
    goal: Goal


class Times:
    """Seconds by name, one number for each repeat."""

    def __init__(self, seconds: Mapping[str, Sequence[float]]) -> None:
        self.seconds = seconds

    def median(self, name: str) -> float:
        return statistics.median(self.seconds[name])

    def ratio(self, line: Line) -> float:
        """How many times faster we are, or how many times the cost: whichever the goal asks for."""
        ours, peer = self.median(line.ours), self.median(line.peer)
        return peer / ours if line.goal.at_least else ours / peer

    def spread(self, line: Line) -> tuple[float, float]:
        """The quartiles of the same ratio, taken within each repeat."""
        pairs = zip(self.seconds[line.ours], self.seconds[line.peer], strict=True)
        ratios = [Times({line.ours: [ours], line.peer: [peer]}).ratio(line) for ours, peer in pairs]
        if len(ratios) == 1:
            return ratios[0], ratios[0]
        low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return low, high


def interleave(works: Mapping[str, Work], repeats: int, clock: Clock = time.perf_counter) -> Times:
    """Do every piece of work once to warm up, then all of them in turn, so many times.

    There and back: what one leaves in the caches is not always met by the same other.
    On one thread: a linear algebra library that has been asked for something keeps its other threads
    spinning for a while, and takes the core away from whatever is measured next.
    """
    from threadpoolctl import threadpool_limits

    seconds: dict[str, list[float]] = {name: [] for name in works}
    with threadpool_limits(1):
        for work in works.values():
            work()
        gc.collect()
        gc.disable()
        try:
            for k in range(repeats):
                for name in list(works)[:: -1 if k % 2 else 1]:
                    began = clock()
                    works[name]()
                    seconds[name].append(clock() - began)
        finally:
            gc.enable()
    return Times(seconds)


def report(times: Times, lines: Sequence[Line], options: argparse.Namespace, per: int = 1) -> None:
    """Print the comparisons; a time is divided by `per`, the number of examples in it, say.

    A quick run is too short to be judged.
    """
    rows = [("work", "ours", "the peer's", "ratio", "quartiles", "goal", "")]
    for line in lines:
        ratio, (low, high) = times.ratio(line), times.spread(line)
        verdict = "too short" if options.quick else "met" if line.goal.met(ratio) else "MISSED"
        both = (shown(times.median(line.ours) / per), shown(times.median(line.peer) / per))
        rows.append((line.work, *both, f"{ratio:.2f}×", f"{low:.2f}–{high:.2f}", str(line.goal), verdict))
    print_table(rows)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, the first one to the left and numbers to the right, a rule under the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("─" * (sum(widths) + 2 * (len(widths) - 1)))


def shown(seconds: float) -> str:
    """Write a time with three digits and the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def arguments(description: str | None, repeats: int, quick_repeats: int) -> argparse.ArgumentParser:
    """Make a parser with what every benchmark takes; see `repeats`."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="less data and fewer repeats: does it run at all?"
    )
    parser.add_argument(
        "--repeats",
        type=int,
        metavar="N",
        help=f"how often each piece of work is done (default: {repeats}; with --quick {quick_repeats})",
    )
    parser.set_defaults(usual=(repeats, quick_repeats))
    return parser


def repeats(options: argparse.Namespace) -> int:
    """How often to repeat, by what the user asked for."""
    if options.repeats is None:
        return int(options.usual[1] if options.quick else options.usual[0])
    return max(1, int(options.repeats))


def clock_option(parser: argparse.ArgumentParser) -> None:
    """Let the user choose the clock, for work that is done within this process."""
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="cpu: the time that this thread spent computing, which a busy machine disturbs less",
    )


def clock(options: argparse.Namespace) -> Clock:
    """The clock that the user asked for.

    Not the time of the whole process: the idle threads of a linear algebra library wait by
    spinning, and would be charged to whoever called it last.
    """
    return time.thread_time if options.clock == "cpu" else time.perf_counter
