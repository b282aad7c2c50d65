"""`noregret experts`: nearly the best of several forecasts, without choosing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noregret.cli.options import LISTED, CertificateFile, Json, OnBadRow, Quiet, Report


def experts(
    data: Annotated[
        Path,
        typer.Argument(
            help="A CSV or Parquet file with one column for each expert; - is standard input.", readable=False
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            "--target", help="The column that has the truth; where it is empty, rules only predict."
        ),
    ],
    experts: Annotated[
        str | None,
        typer.Option("--experts", help=f"The experts' columns{LISTED}", show_default="all numeric ones"),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            "-r",
            help="A spec such as boa or hedge:rate=0.1; may be repeated.",
            show_default="some that fit the loss",
        ),
    ] = None,
    loss: Annotated[
        str,
        typer.Option("--loss", help="square, absolute, percentage, log, pinball, pinball-0.9 or zero-one."),
    ] = "square",
    gradient: Annotated[
        bool | None,
        typer.Option(
            "--gradient/--no-gradient",
            help="Make losses linear at the prediction: to compare with every mixture of experts.",
            show_default="on where the loss has a slope",
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            help="The column that names the rows in what is written.",
            show_default="time, date, datetime or timestamp, else the row number",
        ),
    ] = None,
    series: Annotated[
        str | None,
        typer.Option("--series", help="A column that names the series of a row.", show_default="one series"),
    ] = None,
    switches: Annotated[
        int,
        typer.Option("--switches", min=0, help="Also compare with the best sequence of so many switches."),
    ] = 0,
    model: Annotated[
        Path | None,
        typer.Option("--model", help="Go on with a saved rule.", readable=False, show_default=False),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", help="Write every prediction as CSV.", show_default=False),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option("--weights", help="Write the weights of every round as CSV.", show_default=False),
    ] = None,
    report: Report = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Save the rule; of several, the one with the least loss.", show_default=False
        ),
    ] = None,
    certificate: CertificateFile = None,
    on_bad_row: OnBadRow = "stop",
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Aggregate forecasts, row after row, and hold each rule against its theorem.

    An empty cell is an expert that sleeps in that row.

    Examples:

      noregret experts forecasts.csv --target load

      noregret experts scores.csv --target fraud --loss log --rule boa
    """
    from noregret.cli.aggregation import Aggregation

    Aggregation(
        path=data,
        target=target,
        experts=experts,
        specs=rule or [],
        loss=loss,
        gradient="auto" if gradient is None else gradient,
        time=time,
        series=series,
        switches=switches,
        model=model,
        predictions=predictions,
        weights=weights,
        report=report,
        save=save,
        certificate=certificate,
        on_bad_row=on_bad_row,
        json=json,
        quiet=quiet,
    ).go()
