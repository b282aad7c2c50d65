"""`noregret verify`: check a certificate.

Nothing of the native core is imported on this way, except to read data that is not libsvm text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noregret import __version__
from noregret.cli.options import Json, Quiet

if TYPE_CHECKING:
    from noregret.cli.output import Output
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
    from noregret.certificate_files.readers import reader_of
    from noregret.certificate_files.verification import verify_certificate
    from noregret.cli.output import Output
    from noregret.reference.verify import read_certificate

    output = Output(json, quiet, inputs=[certificate, *(data or [])])
    checked = verify_certificate(certificate, data or [])
    written = read_certificate(certificate)
    version, reader = str(written.get("version")), reader_of(written, data or [])
    output.write(
        {
            "certificate": str(certificate),
            "version": version,
            "reader": reader,
            "verified": True,
            "theorems": [one._asdict() for one in checked],
        }
    )
    _show(output, certificate, version, checked)
    output.say(f"rows were read by {reader}")


def _show(output: Output, certificate: Path, version: str, checked: list[Checked]) -> None:
    from noregret.cli.output import table

    listed = table("", "learner", "theorem", "verdict", "observed", "bound", words=["theorem"])
    listed.columns[2].justify = "left"
    for one in checked:
        bound = "–" if one.bound is None else f"{one.bound:,.6g}"
        verdict = f"{one.verdict}, vacuous" if one.vacuous else one.verdict
        listed.add_row(one.learner, one.theorem, verdict, f"{one.observed:,.6g}", bound)
    output.show(listed)
    if version != __version__:
        output.say(f"written by noregret {version}, checked by noregret {__version__}")
    held = f"{sum(one.verdict == 'holds' for one in checked)} of {len(checked)} theorems hold"
    told = "verified. The data are those of the certificate, and every number was found again"
    output.say(f"{certificate.name}: {told}; {held if checked else 'it claims no theorem'}.")
