"""Check a certificate against its data: everything is played again and every number derived anew.

Plain Python and the standard library, nothing of the native core: whoever doubts noregret can read these
files. ``python -m noregret.reference.verify run.cert.json DATA`` does what ``noregret verify`` does.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .checking import Checked
from .data import Reader
from .duel_checks import check_duel
from .expert_checks import check_experts
from .rounds import Refused
from .run_checks import check_run

FORMAT = 1
CHECKS: dict[str, Callable[[dict[str, Any], list[Path], Reader | None], list[Checked]]] = {
    "run": check_run,
    "experts": check_experts,
    "duel": check_duel,
}
_DAMAGE = (KeyError, TypeError, AttributeError, IndexError, ValueError, ArithmeticError, struct.error)


def verify(
    certificate: str | Path, data: Sequence[str | Path] = (), reader: Reader | None = None
) -> list[Checked]:
    """Check a certificate file against its data files; the first difference is a Refused with a sentence.

    A certificate that carries its rounds itself, such as that of a duel, needs no data. `reader` reads data
    that is not libsvm text.
    """
    told = read_certificate(Path(certificate))
    try:
        checked = CHECKS[told["command"]](told, [Path(path) for path in data], reader)
    except Refused:
        raise
    except _DAMAGE as problem:
        raise Refused(f"{certificate}: it is damaged ({type(problem).__name__}: {problem})") from None
    if not told["runs"]:
        raise Refused(f"{certificate}: it speaks of no run")
    if told.get("seal") != seal(told):
        raise Refused(
            f"{certificate}: every number was found again, but its words were changed after it was written"
        )
    return checked


def read_certificate(path: Path) -> dict[str, Any]:
    """Read the file; anything that is not a certificate of this format is refused."""
    try:
        told = json.loads(path.read_bytes(), object_pairs_hook=_once)
    except OSError as problem:
        raise Refused(f"{path}: {(problem.strerror or str(problem)).lower()}") from None
    except (ValueError, RecursionError):
        raise Refused(
            f"{path}: it is not JSON; a certificate is what `noregret run --certificate` wrote"
        ) from None
    if not isinstance(told, dict) or told.get("noregret") != "certificate":
        raise Refused(
            f"{path}: it is not a certificate; one is written by `noregret run DATA --certificate FILE`"
        )
    if told.get("format") != FORMAT:
        version = told.get("version")
        raise Refused(
            f"{path}: it was written by noregret {version} in format {told.get('format')}, and this one "
            f"reads format {FORMAT}; verify it with noregret {version}"
        )
    if not isinstance(told.get("command"), str) or told["command"] not in CHECKS:
        raise Refused(
            f"{path}: it is a certificate of '{told.get('command')}', which this noregret does not know"
        )
    return told


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of a key that stands there twice nobody could tell which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def seal(told: Mapping[str, Any]) -> str:
    """A hash over all the rest of the certificate: it shows that nobody slipped, not who wrote it."""
    rest = {key: value for key, value in told.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def main(arguments: Sequence[str]) -> int:
    """Verify, print a line a theorem, and give the exit status."""
    if not arguments:
        print("python -m noregret.reference.verify CERTIFICATE [DATA …]", file=sys.stderr)
        return 2
    try:
        checked = verify(arguments[0], arguments[1:])
    except Refused as problem:
        print(f"not verified: {problem}", file=sys.stderr)
        return 1
    for one in checked:
        print(
            f"verified: {one.learner}: {one.theorem}: {one.verdict} ({one.observed:.6g} against {one.bound})"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
