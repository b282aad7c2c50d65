"""`noregret theorems`: every theorem that noregret knows; `--verify` plays each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from noregret.cli.options import Json, Quiet

if TYPE_CHECKING:
    from noregret.cli.output import Output


def theorems(
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Play each at its worst case and at random, and show the numbers."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the random games.")] = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """List the theorems; with --verify, hold each against its worst case and against a random run."""
    from noregret.cli.output import Output

    output = Output(json, quiet)
    broken = _verify(output, seed) if verify else _list(output)
    if broken:
        raise typer.Exit(1)


def _list(output: Output) -> int:
    from noregret.checks.theorems import known

    told = list(known())
    for one in told:
        output.say(f"{one.theorem}  ({one.learner})\n    {one.statement}\n    {one.source}\n")
    output.say("`noregret theorems --verify` plays each of them.")
    output.write(
        [
            {"theorem": t.theorem, "statement": t.statement, "source": t.source, "learner": t.learner}
            for t in told
        ]
    )
    return 0


def _verify(output: Output, seed: int) -> int:
    """Show a row for each game; give the number of theorems that did not hold."""
    from noregret.certificate import Verdict, counted, shown
    from noregret.checks.theorems import verify
    from noregret.cli.output import coloured, table

    rows = list(verify(seed))
    listed = table("", "theorem", "game", "observed", "bound", "slack", "verdict", words=["game"])
    for row in rows:
        bound = f"{'≥' if row.at_least else '≤'} {shown(row.bound)}"
        listed.add_row(
            row.theorem, row.game, shown(row.observed), bound, shown(row.slack), coloured(row.verdict)
        )
    output.show(listed)
    failed = [row for row in rows if row.verdict is not Verdict.HOLDS]
    output.say(f"\n{counted(len(rows), 'game')}, {len(rows) - len(failed)} as the theorem says.")
    output.write(
        [
            {
                "theorem": row.theorem,
                "source": row.source,
                "game": row.game,
                "observed": row.observed,
                "bound": row.bound,
                "relation": "at least" if row.at_least else "at most",
                "slack": row.slack,
                "verdict": str(row.verdict),
            }
            for row in rows
        ]
    )
    return len(failed)
