"""`noregret predict`: use a saved learner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noregret.cli.options import Format, Json, Quiet


def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `noregret run --save` wrote.")],
    data: Annotated[list[Path], typer.Argument(help="Data files. Their labels are only compared with.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this file, not to standard output.", show_default=False
        ),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Write the score after the prediction.")] = False,
    format: Format = "libsvm",
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Predict the rows of a file with a saved learner, a line each. Nothing is learned.

    The labels are written the way the learner's own data wrote them.
    """
    import sys

    import numpy as np

    from noregret.cli.output import Output, share
    from noregret.cli.testing import predicted, require_linear
    from noregret.data.labels import Labels
    from noregret.data.read import read
    from noregret.errors import BadModel
    from noregret.model_file import open_model, write_whole

    report = Output(json, True, [output], [model, *data])
    try:
        learner, meta = open_model(model)
    except BadModel as problem:
        raise BadModel(f"{problem}; the model comes first, then the data") from None
    require_linear(learner)
    labels = Labels.from_json(meta["labels"]) if meta.get("labels") else Labels()
    lines: list[str] = []
    rows = mistakes = 0
    for batch, predictions, seen in predicted(learner, read(data, format=format, labels=labels)):
        rows += len(batch)
        mistakes += int(np.sum(predictions != batch.labels))
        told = [labels.write(p) for p in predictions.tolist()]
        lines += [f"{p} {s!r}" for p, s in zip(told, seen.tolist(), strict=True)] if scores else told
    text = "".join(f"{line}\n" for line in lines)
    if output is not None:
        write_whole(output, text.encode())
    elif json != "-":
        sys.stdout.write(text)
    if not quiet:
        print(
            f"{rows:,} rows, {mistakes:,} unlike their label ({share(mistakes / max(rows, 1))})",
            file=sys.stderr,
        )
    result = {
        "learner": learner.spec,
        "rows": rows,
        "mistakes": mistakes,
        "error_rate": mistakes / max(rows, 1),
    }
    report.write(result)
