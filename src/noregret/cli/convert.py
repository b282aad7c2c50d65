"""`noregret convert`: data of any format to .nrb, which is read many times faster, or to libsvm text."""

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
    Label,
    Numeric,
    OnBadRow,
    Positive,
    Quiet,
    Text,
)


def convert(
    data: Annotated[
        list[Path],
        typer.Argument(help="Data files, then the file to write.", metavar="DATA... OUT", readable=False),
    ],
    format: Format = None,
    label: Label = None,
    positive: Positive = None,
    task: Annotated[str, typer.Option("--task", help="binary, multiclass or regression.")] = "binary",
    numeric: Numeric = None,
    categorical: Categorical = None,
    text: Text = None,
    drop: Drop = None,
    bits: Bits = None,
    header: Header = None,
    encoding: Encoding = None,
    on_bad_row: OnBadRow = "stop",
    quiet: Quiet = False,
) -> None:
    """Parse data once and keep the rows, so that later runs need not.

    An .nrb file says what it was made of, and is refused when that has changed. An .svm file is libsvm text,
    for other tools and for `noregret verify`; names of features go to OUT.names, that of feature k to line k
    (a line end in a name is \\n there, a backslash two).

    Examples:

      noregret convert mail.svm mail.nrb

      noregret convert day-*.csv week.nrb --label clicked

      noregret convert day-*.csv week.svm --label clicked
    """
    from contextlib import closing

    from noregret.certificate import counted
    from noregret.cli import signals
    from noregret.cli.data_options import DataOptions
    from noregret.cli.output import Output
    from noregret.cli.progress import RunProgress
    from noregret.data.asking import CONVERT
    from noregret.data.finite import finite_rows
    from noregret.data.labels import Labels
    from noregret.data.libsvm_writer import LibsvmWriter
    from noregret.data.nrb import NrbWriter, meaning_of, stamps_of
    from noregret.errors import BadCommand
    from noregret.whole_file import whole_file, write_whole

    *sources, out = data
    names, plain = out.with_name(f"{out.name}.names"), out.suffix == ".svm"
    if not sources or out.suffix not in (".nrb", ".svm"):
        ends = f"{out} ends in neither .nrb nor .svm; " if sources else ""
        raise BadCommand(
            f"{ends}give the data and then the file to write, such as: noregret convert mail.svm mail.nrb"
        )
    if plain and task != "binary":
        raise BadCommand(f"--task {task} goes to .nrb; libsvm text is written for two classes")
    output = Output(None, quiet, [out, *([names] if plain else [])], sources)
    reads = DataOptions(
        format, label, positive, numeric, categorical, text, drop, bits, header, encoding, on_bad_row
    )
    stream = reads.open(sources, reads.reading({}), Labels(positive, task=task, asker=CONVERT))
    made_of = stamps_of(stream)
    with (
        signals.telling(lambda: f"{out} was not written"),
        RunProgress(stream.size or None, "bytes", quiet) as progress,
        whole_file(out) as file,
        closing(signals.calmly(finite_rows(stream))) as batches,
    ):
        writer = LibsvmWriter(file) if plain else NrbWriter(file)
        for batch in batches:
            writer.add(batch)
            progress.batch(batch, [])
        if isinstance(writer, NrbWriter):
            writer.close(meaning_of(stream, made_of))
    output.say(
        f"{out}: {counted(writer.rows, 'row')}, {out.stat().st_size:,} bytes; {stream.labels.describe()}"
    )
    if isinstance(writer, LibsvmWriter) and writer.names:
        write_whole(names, writer.listed())
        output.say(f"{names}: {counted(len(writer.names), 'name')}")
    output.skipped(stream.skipped, stream.faults)
