"""`noregret dimension`: how hard a class of hypotheses is to learn."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noregret.cli.options import Json, Quiet

if TYPE_CHECKING:
    from noregret.cli.output import Output
    from noregret.hypotheses.dimension import Bounds

ClassArgument = Annotated[
    str,
    typer.Argument(
        metavar="CLASS",
        help="A name with a size, or a CSV file with a line of 0 and 1 for each hypothesis.",
    ),
]


def dimension(
    hypotheses: ClassArgument,
    tree: Annotated[
        Path | None,
        typer.Option("--tree", help="Write a shattered tree to a file, .svg or .txt.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=0,
            max=10**18,
            help="Look at about so many version spaces, then say what is proved.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Work out the VC and the Littlestone dimension of a class, exactly.

    The names are thresholds:n, singletons:d, intervals:n, all:n, parities:n,
    k-of-n:k,n, disjunctions:n and conjunctions:n (n,general with negated
    variables), decision-lists:n,k, halfspaces:n,w, random:h,x,seed; unions
    A+B and products A*B of them; and, without end, thresholds:[0,1],
    intervals:[0,1] and singletons:[0,1].

    Examples:

      noregret dimension thresholds:1023

      noregret dimension "singletons:4*all:2" --tree tree.svg
    """
    from noregret.cli.output import Output
    from noregret.errors import BadParameter
    from noregret.hypotheses.naming import hypothesis_class

    output = Output(json, quiet, [tree], [hypotheses if hypotheses.endswith(".csv") else None])
    if tree is not None and tree.suffix not in (".svg", ".txt"):
        raise BadParameter(f"{tree} should end in .svg or .txt; those are the forms of a tree")
    made = hypothesis_class(hypotheses)
    result = _measured(made, limit, quiet)
    _show(output, result)
    if tree is not None:
        _write_tree(output, made, tree)
    output.write(result)
    if result["complete"] is False and limit is None:
        raise typer.Exit(130)


def _measured(made: Any, limit: int | None, quiet: bool) -> dict[str, Any]:
    """Both dimensions; Ctrl-C leaves the bounds that were proved by then."""
    from noregret.hypotheses.dimension import littlestone_dimension, log2_size, vc_dimension

    found: dict[str, Any] = {
        "class": made.name,
        "hypotheses": getattr(made, "size", None),
        "points": getattr(made, "points", None),
    }
    proved: dict[str, tuple[float, float]] = {}
    for name, measure in (("littlestone", littlestone_dimension), ("vc", vc_dimension)):
        watch = _Watch(name, quiet)
        value: float | Bounds
        try:
            value = measure(made, limit, watch) if limit is not None else measure(made, None, watch)
        except KeyboardInterrupt:
            value = watch.proved
        finally:
            watch.close()
        proved[name] = value if isinstance(value, tuple) else (value, value)
    (at_least, online), (batch, at_most) = proved["littlestone"], proved["vc"]
    # VC(H) ≤ Ldim(H): what is proved of one says something of the other.
    found["littlestone"] = _plain(max(at_least, batch), online)
    found["vc"] = _plain(batch, min(at_most, online))
    complete = not any(isinstance(found[name], dict) for name in proved)
    return found | {"log2_size": log2_size(made), "complete": complete}


def _plain(lower: float, upper: float) -> Any:
    """A number, a pair of bounds, or the word for what no number is."""
    if lower == upper:
        return "infinite" if lower == float("inf") else lower
    return {"lower": lower, "upper": upper}


class _Watch:
    """The progress line of a search, on a terminal only."""

    def __init__(self, name: str, quiet: bool) -> None:
        import sys

        from rich.console import Console

        from noregret.hypotheses.dimension import Bounds

        self._bounds = Bounds
        self.proved = Bounds(0, float("inf"))
        self._name = name
        self._next = time.monotonic() + 0.5
        self._status = None if quiet or not sys.stderr.isatty() else Console(stderr=True).status("")
        if self._status is not None:
            self._status.start()

    def __call__(self, lower: int, upper: int, visited: int) -> None:
        self.proved = self._bounds(lower, upper)
        if self._status is not None and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            self._status.update(f"{self._name}: {lower} to {upper}, {visited:,} looked at (Ctrl-C to stop)")

    def close(self) -> None:
        if self._status is not None:
            self._status.stop()


def _show(output: Output, result: dict[str, Any]) -> None:
    from noregret.certificate import counted, shown

    size, points = result["hypotheses"], result["points"]
    many = f"{counted(size, 'hypothesis', 'hypotheses')}, {counted(points, 'point')}" if size else "infinite"
    output.say(f"{result['class']}: {many}")
    for key, label in (("vc", "VC dimension"), ("littlestone", "Littlestone dimension")):
        value = result[key]
        told = f"between {value['lower']} and {value['upper']}" if isinstance(value, dict) else str(value)
        output.say(f"  {label:22} {told}")
    output.say(f"  {'log₂ of the size':22} {shown(result['log2_size']) if size else 'infinite'}")
    output.say("VC ≤ Littlestone ≤ log₂|H|: SOA errs at most as often as the Littlestone dimension says.")


def _write_tree(output: Output, made: Any, path: Path) -> None:
    from noregret.hypotheses.drawing import DRAWN, tree_as_svg, tree_as_text
    from noregret.hypotheses.tree import shattered_tree
    from noregret.whole_file import write_whole

    found = shattered_tree(made)
    text = tree_as_svg(found) if path.suffix == ".svg" else tree_as_text(found)
    write_whole(path, text.encode())
    cut = path.suffix == ".svg" and found.depth > DRAWN
    note = f": its first {DRAWN} levels (a .txt has them all)" if cut else ""
    output.say(f"A shattered tree of depth {found.depth} is in {path}{note}.")
