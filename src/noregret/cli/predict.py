"""`noregret predict`: use a saved learner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noregret.cli.options import (
    Bits,
    Categorical,
    Drop,
    Encoding,
    Format,
    Header,
    Json,
    Label,
    Numeric,
    OnBadRow,
    Quiet,
    Text,
)


def predict(
    model: Annotated[
        Path, typer.Argument(help="A model file that `noregret run --save` wrote.", readable=False)
    ],
    data: Annotated[
        list[Path], typer.Argument(help="Data files. Their labels are only compared with.", readable=False)
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file; - is standard output.", show_default="-"),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Write the score after the prediction.")] = False,
    format: Format = None,
    label: Label = None,
    numeric: Numeric = None,
    categorical: Categorical = None,
    text: Text = None,
    drop: Drop = None,
    bits: Bits = None,
    header: Header = None,
    encoding: Encoding = None,
    on_bad_row: OnBadRow = "stop",
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Predict the rows of a file with a saved learner, or what --to-batch made, a line each.

    Nothing is learned. A row that --on-bad-row skip passes over has a line with a question mark.

    The labels are written the way the learner's own data wrote them.

    Examples:

      noregret predict mail.model new.svm

      noregret predict mail.model new.svm --scores --output said.txt
    """
    import math
    import sys
    from contextlib import closing, nullcontext

    import numpy as np

    from noregret.certificate import counted
    from noregret.cli import cells, signals
    from noregret.cli.answers import Answers
    from noregret.cli.data_options import DataOptions, task_of
    from noregret.cli.output import STDOUT, Output, share, text_to
    from noregret.cli.testing import predicted, require_linear
    from noregret.conversion.converted import Conversion
    from noregret.data.compared import ComparedLabels
    from noregret.errors import BadModel
    from noregret.model_file import open_model

    report = Output(json, True, inputs=[model, *data], rows=[output])
    try:
        learner, meta = open_model(model)
    except BadModel as problem:
        raise BadModel(f"{problem}; the model comes first, then the data") from None
    if not isinstance(learner, Conversion):
        require_linear(learner, model)
    reads = DataOptions(
        format, label, None, numeric, categorical, text, drop, bits, header, encoding, on_bad_row
    )
    labels = ComparedLabels(reads.labels(meta, task_of([learner])))
    stream = reads.open(data, reads.reading(meta), labels, need_label=label is not None)
    numbers = learner.task == "regression"  # which are not right or wrong
    rows = labelled = mistakes = 0
    squares = 0.0
    written = text_to(output or STDOUT) if output or json != "-" else nullcontext(lambda _: None)

    def outcome() -> str:
        """What an interrupt leaves: a file is whole or not there, and standard output has what it has."""
        return (
            f"{counted(rows, 'row')} had an answer"
            if output in (None, STDOUT)
            else f"{output} was not written"
        )

    with (
        signals.telling(outcome),
        written as write,
        closing(signals.calmly(predicted(learner, stream))) as batches,
    ):
        said = Answers(write, stream, labels, scores)
        for batch, predictions, seen in batches:
            refused = np.isnan(predictions)
            rows += len(batch) - int(refused.sum())
            known = ~np.isnan(batch.labels) & ~refused
            labelled += int(known.sum())
            mistakes += int(np.sum(predictions[known] != batch.labels[known]))
            squares += float(np.sum((predictions[known] - batch.labels[known]) ** 2))
            said.add(predictions, seen)
        said.close()
    if not quiet:
        unlike = f"{mistakes:,} unlike their label ({share(mistakes / max(labelled, 1))})"
        if numbers:
            unlike = f"RMSE {math.sqrt(squares / max(labelled, 1)):.6g}"
        print(f"{counted(rows, 'row')}, {unlike if labelled else 'none with a label'}", file=sys.stderr)
        if labels.unfit:
            print(f"labels that do not fit the model count as unknown: {labels.unfit:,}", file=sys.stderr)
        if stream.skipped:
            faults = [cells.seen(fault) for fault in stream.faults]
            print(f"skipped: {counted(stream.skipped, 'bad row')}", *faults, sep="\n  ", file=sys.stderr)
    result = {
        "learner": learner.spec,
        "rows": rows,
        "mistakes": None if numbers else mistakes,
        "labelled": labelled,
        "skipped": stream.skipped,
        "error_rate": mistakes / labelled if labelled and not numbers else None,
    }
    if numbers:
        result["rmse"] = math.sqrt(squares / labelled) if labelled else None
    report.write(result)
