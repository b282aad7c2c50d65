"""Certificates checked: the plain verifier, and noregret's readers lent to it where it has none itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from noregret.errors import BadCertificate
from noregret.reference.checking import Checked
from noregret.reference.rounds import Refused, Round
from noregret.reference.verify import verify

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def verify_certificate(certificate: str | PathLike[str], data: Paths = ()) -> list[Checked]:
    """Check a certificate file against its data: play the run again and derive every number anew.

    The first difference is a BadCertificate with a sentence. A certificate that carries its rounds needs
    no data.
    """
    given = [data] if isinstance(data, str | PathLike) else data
    try:
        return verify(Path(certificate), [Path(one) for one in given], _read)
    except Refused as problem:
        raise BadCertificate(f"not verified: {problem}") from None


def _read(play: Mapping[str, Any], paths: Sequence[Path]) -> Iterable[Round]:
    from noregret.certificate_files.data import (
        read_again,  # the core is needed for this, and for nothing else
    )

    return read_again(play, paths)
