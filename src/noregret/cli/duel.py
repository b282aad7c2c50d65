"""`noregret duel`: a learner over a finite class against an adversary, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noregret.cli.options import CertificateFile, Json, Quiet, Report

if TYPE_CHECKING:
    from noregret.certificate import Certificate
    from noregret.cli.output import Output
    from noregret.ledger import Ledger

SHOWN = 40  # rounds in the table; of more, the first and the last ones


def duel(
    learner: Annotated[
        str, typer.Argument(help="consistent, randconsistent, halving, soa, agnostic, wm, hedge, rwm, …")
    ],
    nature: Annotated[
        str,
        typer.Argument(help="tree, cover, worst, random, noise, or a CSV file of points and labels."),
    ],
    hypotheses: Annotated[
        str | None,
        typer.Option(
            "--class",
            help="A name with a size, such as thresholds:1023 (`noregret dimension -h` lists them), or a CSV "
            "file with a line for each hypothesis.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=10_000_000, help="Play at most so many.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the coin and of a random nature.")] = 0,
    certificate: CertificateFile = None,
    report: Report = None,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Play a learner against a nature and show every round, then the verdict of its theorem.

    The nature worst is the adversary that the theory has for the learner: tree for
    halving and soa, cover for those that take any labels; against consistent and
    randconsistent as few hypotheses as possible go. Others may do worse to halving.

    Examples:

      noregret duel halving tree --class thresholds:1023

      noregret duel consistent worst --class singletons:8

      noregret duel wm noise:share=0.1 --class disjunctions:4 --rounds 200
    """
    from noregret.cli.certificates import certify_duel, where_written
    from noregret.cli.duelling import Observed
    from noregret.cli.output import Output
    from noregret.cli.reporting import require_report, write_report
    from noregret.errors import BadInput, BadParameter
    from noregret.game.play import play
    from noregret.hypotheses.naming import finite_class
    from noregret.judging.certify import certify
    from noregret.natures.adversaries import WorstCase
    from noregret.parameters import name_of
    from noregret.registry import nature as make_nature

    if hypotheses is None and nature != "cover":
        raise BadParameter("a duel needs a class of hypotheses: --class thresholds:1023, or a CSV file")
    output = Output(json, quiet, [certificate, report])
    require_report(report)
    made = finite_class(hypotheses or "all:1")
    player = _player(learner, made, rounds, seed)
    against = name_of(player.spec)
    adversary = make_nature(nature, made, rounds, seed, against)
    observed = Observed(adversary, player)
    try:
        ledger = play(observed, player, rounds)
    except BadInput:
        _show_rounds(output, observed)
        raise
    certificates = certify(ledger)
    _show_rounds(output, observed)
    _show_verdict(output, player, nature, made, ledger, certificates)
    if isinstance(adversary, WorstCase) and adversary.pose() is not None:
        output.say(f"stopped at --rounds {rounds}; the worst case takes up to {made.size - 1:,}")
    if report is not None:
        told = [(player, ledger, certificates)]
        write_report(output, report, f"{player.spec} against {nature}", told)
    output.write(_result(player, nature, made, ledger, observed, certificates))
    if certificate is not None:
        certify_duel(certificate, player, nature, made, seed, ledger, certificates)
        output.say(where_written(certificate))


def _player(spec: str, hypotheses: Any, rounds: int, seed: int) -> Any:
    """Make the learner; the seed and the rounds of the duel are its own where its spec says nothing else."""
    from noregret.errors import BadParameter
    from noregret.parameters import name_of
    from noregret.registry import (
        ADVISED,
        EXPERTS,
        FINITE_LEARNERS,
        advised,
        completed,
        learner,
        learner_class,
    )

    name = learner_class(name_of(spec)).name
    if name in EXPERTS:
        return advised(spec, hypotheses, seed)
    if name not in FINITE_LEARNERS:
        takes = ", ".join((*FINITE_LEARNERS, *ADVISED))
        raise BadParameter(f"{name} does not play over a class; a duel takes {takes}")
    return learner(completed(spec, rounds=rounds, seed=seed), hypotheses)


def _show_rounds(output: Output, observed: Any) -> None:
    from rich.text import Text

    from noregret.cli.output import table

    listed = table("", "round", "x", "vote", "ŷ", "y", "", "left", "Ldim left")
    rows = observed.rows
    gap = len(rows) - SHOWN
    for row in rows if gap <= 0 else rows[: SHOWN - 10] + rows[-10:]:
        if gap > 0 and row.t == len(rows) - 9:
            listed.add_row("…", f"{gap:,} more", *[""] * 6)
        wrong = Text("✗", style="red") if row.predicted != row.label else ""
        listed.add_row(
            f"{row.t:,}",
            row.x,
            row.vote,
            str(row.predicted),
            str(row.label),
            wrong,
            f"{row.left:,}",
            row.depth if row.left else "–",  # labels that no hypothesis explains
        )
    output.show(listed)


def _show_verdict(
    output: Output, player: Any, nature: str, made: Any, ledger: Ledger, certificates: list[Certificate]
) -> None:
    from noregret.certificate import counted
    from noregret.cli.output import certificates_table

    size = counted(made.size, "hypothesis", "hypotheses")
    expected = f", {ledger.loss:.4g} expected" if player.randomised else ""
    output.say(
        f"\n{player.spec} against {nature} over {made.name}, {size}: "
        f"{counted(ledger.mistakes, 'mistake')} in {counted(ledger.rounds, 'round')}{expected}"
    )
    output.show(certificates_table([(player.spec, certificate) for certificate in certificates]))


def _result(
    player: Any, nature: str, made: Any, ledger: Ledger, observed: Any, certificates: list[Certificate]
) -> dict[str, Any]:
    return {
        "learner": player.spec,
        "nature": nature,
        "class": made.name,
        "rounds": ledger.rounds,
        "mistakes": ledger.mistakes,
        "expected_mistakes": ledger.loss if player.randomised else None,
        "certificates": [certificate.as_json() for certificate in certificates],
        "history": [row.as_json() for row in observed.rows],
    }
