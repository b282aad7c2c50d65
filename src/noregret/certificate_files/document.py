"""Certificates that travel: a JSON file with what a run claims, for `noregret verify` to check.

It holds what it takes to play the run again, a fingerprint of the data, and every theorem with its
numbers, how each was obtained, and the witness. The checking is done elsewhere, by `noregret.reference`,
which shares no code with what is checked.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from noregret import __version__
from noregret.certificate import Certificate
from noregret.certificate_files.quantities import obtained
from noregret.whole_file import utf8, write_whole

FORMAT = 1


def certificate_as_json(certificate: Certificate) -> dict[str, Any]:
    """Give a certificate as it is stored."""
    told = certificate.as_json()
    told["quantities"] = {
        name: {"value": value, "how": obtained(certificate.theorem, name)}
        for name, value in certificate.quantities.items()
    }
    told["witness"] = None if certificate.witness is None else _columns(certificate.witness)
    if certificate.dual is not None:
        told["dual"] = {"rounds": list(certificate.dual), "weights": list(certificate.dual.values())}
    return told


def write_certificate(
    path: Path,
    command: str,
    data: Mapping[str, Any],
    play: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
) -> None:
    """Write the file, whole or not at all."""
    told = {
        "noregret": "certificate",
        "format": FORMAT,
        "version": __version__,
        "command": command,
        "data": dict(data),
        "play": dict(play),
        "runs": list(runs),
    }
    plain: dict[str, Any] = _plain(told)
    plain["seal"] = f"sha256:{hashlib.sha256(_canonical(plain)).hexdigest()}"
    write_whole(path, (_laid_out(plain) + "\n").encode())


def _columns(witness: Mapping[Any, Any]) -> dict[str, Any]:
    """A witness without its zeros; a bias has the feature null. Of several classes each has its own."""
    if any(isinstance(part, Mapping) for part in witness.values()):
        return {"classes": list(witness), "weights": [_columns(part) for part in witness.values()]}
    kept = [(feature, value) for feature, value in witness.items() if value != 0.0]
    return {"features": [feature for feature, _ in kept], "values": [value for _, value in kept]}


def _laid_out(value: Any, depth: int = 0) -> str:
    """JSON for people: a line for each entry, except that a list of numbers or words is one line."""
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    flat = not isinstance(value, dict) and not any(isinstance(one, dict) for one in value)
    if flat and (depth > 3 or not any(isinstance(one, list) for one in value)):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    parts = (
        [f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, depth + 1)}" for k, v in value.items()]
        if isinstance(value, dict)
        else [_laid_out(one, depth + 1) for one in value]
    )
    inner = ",\n".join(" " * (depth + 1) + part for part in parts)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}\n{' ' * depth}{end}"


def _canonical(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    """Make data that JSON holds exactly: whole numbers short, words for what is not finite, UTF-8."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, str):
        return utf8(value).decode()
    if isinstance(value, float):
        if not math.isfinite(value):
            return repr(value)
        return int(value) if value.is_integer() and 0.0 < abs(value) < 2**53 else value
    return value
