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
from noregret.data.fingerprint import fingerprint
from noregret.errors import BadInput
from noregret.model_file import write_whole
from noregret.rounds import Stream

FORMAT = 1
STORED_VALUES = 2_000_000  # rounds that are in no file are kept in the certificate, up to so many numbers

# How a quantity was obtained; with the theorem in front where it differs from one to the other.
OBTAINED = {
    "R": "the largest ‖x‖ in the data, rounded up",
    "Freund–Schapire/R": "the largest ‖x‖ among the mistakes, rounded up",
    "norm_u": "the length ‖u‖ of the witness, rounded up",
    "gamma": "the least y⟨u,x⟩ of the witness over all rounds, rounded down",
    "Freund–Schapire/gamma": "chosen so that the bound is about least; any γ > 0 is allowed",
    "D": "√Σ max(0, γ − y⟨u,x⟩)² over all rounds, rounded up",
    "Novikoff (updates)/gamma": "chosen so that the bound is about least; any γ > 0 is allowed",
    "Gentile–Zinkevich/gamma": "chosen so that the bound is about least; any γ > 0 is allowed",
    "A": "2(1−α)B + 2/C + C·R² of the learner and the data, rounded up",
    "loss_u": "Σℓ(u), the loss of the witness over all rounds, rounded up",
    "Novikoff (kernel)/wrong": "rounds in which f = Σ a·K(x, ·), a given as dual, is on the wrong side",
    "log_det": "ln det(I + X/a) of the theorem, by eigenvalues, rounded up",
    "U": "rounds that taught and were no mistakes",
    "wrong": "rounds in which the witness is on the wrong side",
    "margin_at_most": "‖Σα·y·x‖ in the dual norm, for the weights α of rounds given as dual: no u has more",
    "gap": "how much larger the margin of any u could be: margin_at_most less that of the witness",
    "K": "features in the disjunction that is the witness",
    "N": "features that occur in the data",
    "delta": "the part between positives and negatives that the witness μ leaves free",
    "sum_mu": "Σμ of the witness, scaled to reach 1 on every positive",
    "rho": "the least y⟨v,x⟩/‖v‖₁ of the witness, rounded down",
    "r": "the largest |xᵢ| in the data",
    "H": "hypotheses in the class",
    "Ldim": "worked out by search over version spaces",
    "T": "rounds played",
    "L*": "the loss of the best expert, known at the end",
    "loss": "Σp·ℓ, the loss of the rule",
    "eta": "the rate of the rule",
    "beta": "the parameter of the rule",
}


def certificate_as_json(certificate: Certificate) -> dict[str, Any]:
    """Give a certificate as it is stored."""
    told = certificate.as_json()
    told["quantities"] = {
        name: {"value": value, "how": _obtained(certificate.theorem, name)}
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


def described(stream: Stream, names: Sequence[str], *, stored: bool) -> dict[str, Any]:
    """Describe the rounds of a stream; `stored` keeps them, for rounds that are in no file."""
    mark, rounds = fingerprint(stream)
    told: dict[str, Any] = {"names": list(names), "rounds": rounds, "fingerprint": mark, "stored": None}
    if stored:
        told["stored"] = _stored(stream)
    return told


def _stored(stream: Stream) -> dict[str, Any]:
    """Label, importance, features and values of every round; features only where they differ from before."""
    rows: list[Any] = []
    names: dict[str, int] = {}
    before: list[int] | None = None
    size = 0
    for batch in stream.batches():
        for r, label in enumerate(batch.labels.tolist()):
            row = batch.row(r)
            size += len(row)
            if size > STORED_VALUES:
                raise BadInput(
                    f"the rounds are in no file and have more than {STORED_VALUES:,} values, "
                    "too many for a certificate"
                )
            columns = [names.setdefault(f, len(names)) if isinstance(f, str) else f for f, _ in row]
            weight = 1.0 if batch.weights is None else float(batch.weights[r])
            told = None if math.isnan(label) else label
            rows.append([told, weight, None if columns == before else columns, [value for _, value in row]])
            before = columns
    return {"names": list(names) or None, "rows": rows}


def _obtained(theorem: str, quantity: str) -> str:
    return OBTAINED.get(f"{theorem}/{quantity}") or OBTAINED.get(quantity, "as the theorem defines it")


def _columns(witness: Mapping[Any, float]) -> dict[str, Any]:
    """A witness without its zeros; the bias, if any, has the feature null."""
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
    """Make data that JSON holds exactly: whole numbers short, and words for what is not finite."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        if not math.isfinite(value):
            return repr(value)
        return int(value) if value.is_integer() and 0.0 < abs(value) < 2**53 else value
    return value
