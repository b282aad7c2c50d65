"""One of n fair bits is the label: how many mistakes until a learner knows which?

Plays Winnow and the Perceptron over 40·n rounds for n from 64 to 1,024, prints the mistakes of
every n, and draws their means over the seeds against n, with Littlestone's bound for Winnow.
"""

from __future__ import annotations

import argparse
import math
import statistics
from pathlib import Path
from typing import Any, NamedTuple

from side_by_side import print_table

import noregret as nr

LEARNERS = {"Winnow": nr.Winnow, "Perceptron": nr.Perceptron}
BOUND = "Winnow's bound"
COLOURS = {"Perceptron": "#c2410c", BOUND: "#6b7280", "Winnow": "#1d4ed8"}
DOCS = Path(__file__).parents[1] / "docs"


class Point(NamedTuple):
    """The mistakes of one learner for one n, a number for each seed."""

    learner: str
    n: int
    mistakes: list[int]

    @property
    def mean(self) -> float:
        return statistics.mean(self.mistakes)


def main() -> None:
    """Play, print, draw."""
    options = _options()
    sizes = [64, 128, 256] if options.quick else [64, 128, 256, 512, 1024]
    seeds = min(options.seeds, 2) if options.quick else options.seeds
    points = [point for n in sizes for point in _play(n, seeds)]
    head = ("n", "rounds", *(f"{name} (least–most)" for name in LEARNERS), BOUND)
    print_table([head, *_rows(points)])
    for path in options.out:
        path.parent.mkdir(parents=True, exist_ok=True)
        _chart(points, seeds).save(path, scale_factor=2 if path.suffix == ".png" else 1)
        print(f"drawn: {path}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="streams for each n (default: 5)")
    parser.add_argument(
        "--quick", action="store_true", help="n up to 256, two seeds, and no figure unless --out asks for one"
    )
    parser.add_argument(
        "--out",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="where to draw it, each .svg or .png (default: both, docs/unknown_literal.*)",
    )
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error("--seeds must be 1 or more")
    if options.out is None:
        options.out = [] if options.quick else [DOCS / "unknown_literal.svg", DOCS / "unknown_literal.png"]
    if wrong := [str(path) for path in options.out if path.suffix not in (".svg", ".png")]:
        parser.error(f"--out takes .svg and .png, not {', '.join(wrong)}")
    return options


def _play(n: int, seeds: int) -> list[Point]:
    mistakes: dict[str, list[int]] = {name: [] for name in LEARNERS}
    for seed in range(seeds):
        stream = nr.unknown_literal(n, seed=seed)
        for name, learner in LEARNERS.items():
            mistakes[name].append(nr.play(stream, learner()).mistakes)
    return [Point(name, n, counts) for name, counts in mistakes.items()]


def _bound(n: int) -> float:
    """What Littlestone promises for a disjunction of one feature, α = 2 and Θ = n."""
    return 2.0 + 3.0 * (1.0 + math.log2(n))


def _rows(points: list[Point]) -> list[tuple[str, ...]]:
    by_size: dict[int, list[str]] = {}
    for point in points:
        told = f"{point.mean:,.1f} ({min(point.mistakes):,}–{max(point.mistakes):,})"
        by_size.setdefault(point.n, []).append(told)
    return [(f"{n:,}", f"{40 * n:,}", *told, f"{_bound(n):,.0f}") for n, told in by_size.items()]


def _chart(points: list[Point], seeds: int) -> Any:
    """Both axes are logarithmic: mistakes that grow like n are a straight line of slope one."""
    import altair as alt

    sizes = sorted({point.n for point in points})
    values = [{"line": p.learner, "n": p.n, "mistakes": p.mean} for p in points]
    values += [{"line": BOUND, "n": n, "mistakes": _bound(n)} for n in sizes]
    for value in values:  # a line has its name, and its last number, at its right end
        value["text"] = f"{value['line']}: {value['mistakes']:,.0f}" if value["n"] == sizes[-1] else ""
    every = alt.Chart(alt.InlineData(values)).encode(
        alt.X("n:Q", title="number of bits, n")
        .scale(type="log", base=2, domain=[sizes[0], sizes[-1]], nice=False)
        .axis(values=sizes, format=",d", grid=False, labelFlush=False),
        alt.Y("mistakes:Q", title="mistakes in 40·n rounds")
        .scale(type="log", domain=[10, 2000], nice=False)
        .axis(values=[10, 20, 50, 100, 200, 500, 1000, 2000], format=",d"),
        alt.Color("line:N", legend=None).scale(domain=list(COLOURS), range=list(COLOURS.values())),
    )
    played = every.transform_filter(f'datum.line != "{BOUND}"')
    proved = every.transform_filter(f'datum.line == "{BOUND}"')
    layers = alt.layer(
        proved.mark_line(strokeDash=[5, 4], strokeWidth=1.5),
        played.mark_line(strokeWidth=2.5),
        played.mark_point(filled=True, size=70, opacity=1),
        every.mark_text(align="left", dx=10, fontSize=13, fontWeight="bold").encode(text="text:N"),
    )
    return _dressed(layers, f"Fair bits, one of them the label; mean of {seeds} streams for each n")


def _dressed(layers: Any, subtitle: str) -> Any:
    title = {
        "text": "Finding the one bit that matters among n",
        "subtitle": subtitle,
        "anchor": "start",
        "offset": 16,
    }
    return (
        layers.properties(width=480, height=320, padding=10, title=title)
        .configure(font="Helvetica, Arial, sans-serif", background="white")
        .configure_title(fontSize=17, subtitleFontSize=13, subtitleColor="#4b5563", subtitlePadding=6)
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=12, titleFontSize=13, titleFontWeight="normal", titlePadding=10, gridColor="#e5e7eb"
        )
    )


if __name__ == "__main__":
    main()
