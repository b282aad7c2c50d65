"""`noregret demo`: the tour, on built-in data."""

from __future__ import annotations

from typing import Annotated

import typer


def demo(seed: Annotated[int, typer.Option("--seed", min=0, help="Another season of oranges.")] = 0) -> None:
    """Take the tour: a stream, a worst case, and a case where one learner beats another by far."""
    from noregret.cli.output import Output, bound_and_verdict, certificates_table, share, table
    from noregret.game.play import play_all
    from noregret.judging.certify import certify
    from noregret.natures.inspection import inspection_line
    from noregret.natures.margins import standard_basis
    from noregret.natures.targets import unknown_literal
    from noregret.registry import learner
    from noregret.rounds import Stream

    output = Output(None, quiet=False)

    def show(title: str, nature: Stream, specs: list[str]) -> None:
        output.say(title)
        learners = [learner(spec) for spec in specs]
        ledgers = play_all(nature, learners)
        summary = table("", "learner", "rounds", "mistakes", "rate", "bound", "verdict")
        told = []
        for one, ledger in zip(learners, ledgers, strict=True):
            certificates = certify(ledger)
            told += [(one.spec, certificate) for certificate in certificates]
            cells = (f"{ledger.rounds:,}", f"{ledger.mistakes:,}", share(ledger.mistake_rate))
            summary.add_row(one.spec, *cells, *bound_and_verdict(certificates))
        output.show(summary)
        output.show(certificates_table(told))
        output.say()

    show(
        "1. Oranges on a belt, for export or for the local market. Tastes drift, some are misgraded, and\n"
        "   a person labels only some. Each learner predicts every orange before it is told.",
        inspection_line(seed=seed),
        ["perceptron", "perceptron:bias=true", "winnow:promotion=1.5,threshold=27", "balanced-winnow"],
    )
    show(
        "2. The worst case of the Perceptron: every round is orthogonal to all before it. It errs each\n"
        "   time, and Novikoff's bound says so exactly.",
        standard_basis(1000),
        ["perceptron"],
    )
    show(
        "3. One of 128 fair bits is the label. Winnow's mistakes grow with log n, the Perceptron's with n.",
        unknown_literal(128, seed=seed),
        ["perceptron", "winnow"],
    )
    output.say("Next: noregret run YOUR.svm, noregret learners, noregret --help")
