"""`noregret run`: predict, then learn, over a stream of labelled examples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noregret.cli.options import Data, Format, Json, OnBadRow, Positive, Quiet, Report


def run(
    data: Data = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="A spec such as perceptron or winnow:threshold=200; may be repeated.",
            show_default="perceptron",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="Go on with a saved learner.", show_default=False)
    ] = None,
    format: Format = "libsvm",
    positive: Positive = None,
    passes: Annotated[int, typer.Option("--passes", min=1, help="Play the data so many times.")] = 1,
    shuffle: Annotated[
        int | None,
        typer.Option(
            "--shuffle",
            min=0,
            help="Play in a random order, drawn with this seed.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option("--test", help="Afterwards predict this file, learning nothing.", show_default=False),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions",
            help="Write label, prediction and score of every round as CSV.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            help="Save the learner; of several, the one with the fewest mistakes.",
            show_default=False,
        ),
    ] = None,
    certify: Annotated[
        bool, typer.Option("--certify/--no-certify", help="Hold the run against its theorems.")
    ] = True,
    report: Report = None,
    on_bad_row: OnBadRow = "stop",
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Predict, then learn, row after row; then hold the run against its theorems.

    Without DATA it plays the built-in stream: an inspection line for oranges.

    Examples:

      noregret run

      noregret run mail.svm --learner perceptron:bias=true --learner balanced-winnow --save mail.model

      noregret run more.svm --model mail.model --save mail.model
    """
    from noregret.cli.running import Run

    Run(
        paths=data or [],
        specs=learner or [],
        model=model,
        format=format,
        positive=positive,
        passes=passes,
        shuffle=shuffle,
        test=test,
        predictions=predictions,
        save=save,
        certify=certify,
        report=report,
        skip=on_bad_row,
        json=json,
        quiet=quiet,
    ).go()
