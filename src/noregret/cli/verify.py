"""`noregret verify`: check a certificate.

Nothing of the native core is imported on this way, except to read data that is not libsvm text.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noregret import __version__
from noregret.cli.options import Json, Quiet

if TYPE_CHECKING:
    from noregret.reference.checking import Checked


def verify(
    certificate: Annotated[Path, typer.Argument(help="A file that `--certificate` wrote.")],
    data: Annotated[
        list[Path] | None,
        typer.Argument(
            help="The data that it speaks of. A certificate that carries its rounds needs none.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Check a certificate: play the run again and derive every number anew.

    The run is played by the plain-Python twins of the learners, and bounds are worked out in exact
    fractions where that can be done; nothing of the fast code is used, except to read data that is not
    libsvm text. How the data was read stands in the certificate. The fingerprint of the data, the counts,
    the hypotheses, every quantity, the bound and the verdict must all be found again. Exit 0 if they are;
    exit 1 with the first difference if not: a flipped label, a changed row, an edited bound.

    It does not check who wrote the certificate, nor that the data are true.

    Examples:

      noregret run mail.svm --certificate mail.cert.json

      noregret verify mail.cert.json mail.svm

      noregret duel soa tree --class all:9 --certificate duel.cert.json

      noregret verify duel.cert.json
    """
    from noregret.certificate_files.verification import verify_certificate
    from noregret.reference.verify import read_certificate

    checked = verify_certificate(certificate, data or [])
    rows = [{key: _finite(value) for key, value in one._asdict().items()} for one in checked]
    written = read_certificate(certificate)
    version, reader = str(written.get("version")), written["data"].get("reader")
    told = {
        "certificate": str(certificate),
        "version": version,
        "reader": reader,
        "verified": True,
        "theorems": rows,
    }
    _write(json, told)
    if not quiet and json != "-":
        _show(certificate, version, checked)
        print(f"rows were read by {reader}")


def _show(certificate: Path, version: str, checked: list[Checked]) -> None:
    import sys

    from rich.console import Console
    from rich.text import Text

    from noregret.cli.cells import Cells, seen

    table = Cells(box=None, pad_edge=False, header_style="bold")
    for column in ("learner", "theorem", "verdict", "observed", "bound"):
        table.add_column(column, justify="right" if column in ("observed", "bound") else "left")
    for one in checked:
        bound = "–" if one.bound is None else f"{one.bound:,.6g}"
        table.add_row(one.learner, one.theorem, one.verdict, f"{one.observed:,.6g}", bound)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 130)
    console.print(table)
    if version != __version__:
        told = f"written by noregret {version}, checked by noregret {__version__}"
        console.print(Text(seen(told)))
    held = sum(one.verdict == "holds" for one in checked)
    told = "verified. The data are those of the certificate, and every number was found again"
    console.print(Text(seen(f"{certificate.name}: {told}; {held} of {len(checked)} theorems hold.")))


def _finite(value: object) -> object:
    """What JSON can hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write(to: str | None, result: dict[str, object]) -> None:
    """Write JSON, without what the other commands import for it."""
    import json
    import sys

    if to is None:
        return
    text = json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if to == "-":
        sys.stdout.write(text)
    else:
        Path(to).write_text(text, encoding="utf-8")
