"""Who reads the rows that a certificate speaks of. The core is not needed to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from noregret.reference.data import reads_itself

PLAIN = "noregret.reference: plain Python that shares no code with the run"
LENT = "noregret.data: the readers that the run used; rules and theorems are checked in plain Python"


def reader_of(certificate: Mapping[str, Any], paths: Sequence[Path]) -> str:
    """Tell who reads the rows when it is verified, whatever the certificate says."""
    rows = certificate["data"].get("stored") is None and certificate["command"] == "run"
    return LENT if rows and not reads_itself(certificate["play"], paths) else PLAIN
