"""`noregret run`: predict, then learn, over a stream of labelled examples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noregret.cli.options import (
    Bits,
    Categorical,
    CertificateFile,
    Data,
    Drop,
    Encoding,
    Format,
    Header,
    Json,
    Label,
    Numeric,
    OnBadRow,
    Positive,
    Quiet,
    Report,
    Text,
)


def run(
    data: Data = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="A spec such as perceptron:bias=true; may be repeated. auto is for two classes.",
            show_default="auto",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", help="Go on with a saved learner.", readable=False, show_default=False),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            help="Scale rows as they come, for every learner that does not name its own scale: standard, "
            "max, rms, unit or none. Not for panels: auto weighs members that scale against others.",
            show_default=False,
        ),
    ] = None,
    format: Format = None,
    label: Label = None,
    positive: Positive = None,
    numeric: Numeric = None,
    categorical: Categorical = None,
    text: Text = None,
    drop: Drop = None,
    bits: Bits = None,
    header: Header = None,
    encoding: Encoding = None,
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
    lag: Annotated[
        int, typer.Option("--lag", min=0, help="Tell each label so many rounds late.", show_default=False)
    ] = 0,
    labelled: Annotated[
        float | None,
        typer.Option(
            "--labelled",
            min=0.0,
            max=1.0,
            help="Tell only this share of the labels, chosen by chance.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option(
            "--test",
            help="Afterwards predict this file, learning nothing.",
            readable=False,
            show_default=False,
        ),
    ] = None,
    to_batch: Annotated[
        str | None,
        typer.Option(
            "--to-batch",
            help="Make one fixed predictor of the run: average, voted, last, random, survivor or penalised; "
            "with its risk bound, and with --test what was observed. For two classes; no averaged, voted or "
            "kernel learner, and no scale.",
            show_default=False,
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions",
            help="Write label, prediction, score and place of every round as CSV; - is standard output.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            help="Save the learner, or what --to-batch made; of several, the one with the fewest mistakes.",
            show_default=False,
        ),
    ] = None,
    save_best: Annotated[
        Path | None,
        typer.Option("--save-best", help="Save the best member of a panel.", show_default=False),
    ] = None,
    all_members: Annotated[
        bool, typer.Option("--all-members", help="List every member of a panel, not the best few.")
    ] = False,
    certificate: CertificateFile = None,
    certify: Annotated[
        bool, typer.Option("--certify/--no-certify", help="Hold the run against its theorems.")
    ] = True,
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough", help="Search all rows for witnesses, not a sample; smaller bounds, more time."
        ),
    ] = False,
    all_theorems: Annotated[
        bool,
        typer.Option("--all-theorems", help="Show every theorem, also those that another one contains."),
    ] = False,
    spool_limit: Annotated[
        float,
        typer.Option(
            "--spool-limit",
            min=0.0,
            help="GB of temporary disk for rows of a pipe, which are read twice to certify a run.",
        ),
    ] = 10.0,
    report: Report = None,
    on_bad_row: OnBadRow = "stop",
    cache: Annotated[
        bool,
        typer.Option("--cache", help="Keep the parsed rows beside the data, and use them next time."),
    ] = False,
    progress_every: Annotated[
        int | None,
        typer.Option(
            "--progress-every",
            min=1,
            help="Print a line after so many rounds, when the block of rows that was read ends.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Predict, then learn, row after row; then hold the run against its theorems.

    Without DATA it plays the built-in stream: an inspection line for oranges.

    Examples:

      noregret run

      noregret run mail.svm -l perceptron -l balanced-winnow --save mail.model

      noregret run sms.tsv --label 1 --positive spam --text 2

      noregret run prices.csv --label price -l ridge:bias=true --scale standard

      noregret run more.svm --model mail.model --save mail.model

      noregret run mail.svm --certificate mail.cert.json
    """
    from noregret.cli.data_options import DataOptions
    from noregret.cli.running import Run

    reads = DataOptions(
        format, label, positive, numeric, categorical, text, drop, bits, header, encoding, on_bad_row
    )
    Run(
        paths=data or [],
        specs=learner or [],
        model=model,
        scale=scale,
        reads=reads,
        passes=passes,
        shuffle=shuffle,
        lag=lag,
        labelled=labelled,
        test=test,
        predictions=predictions,
        save=save,
        save_best=save_best,
        all_members=all_members,
        certificate=certificate,
        to_batch=to_batch,
        certify=certify,
        thorough=thorough,
        spool_limit=spool_limit,
        all_theorems=all_theorems,
        report=report,
        cache=cache,
        every=progress_every,
        json=json,
        quiet=quiet,
    ).go()
