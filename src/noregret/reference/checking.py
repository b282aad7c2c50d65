"""The runs of a certificate played again, command by command, and their theorems held against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import TWINS, classes, expert_theorems, finite_theorems, linear_theorems, regret_theorems
from .claims import Claim, Found
from .expected import require_complete
from .expert_account import ExpertsRun
from .expert_runs import play_advice, play_losses, play_votes
from .fingerprint import fingerprint, series_mark
from .finite import coin
from .finite_runs import FiniteRun
from .forecasts import Forecast, read_forecasts
from .linear_runs import LinearRun
from .rounds import Refused, Round, read_libsvm, stored_rounds
from .shuffling import permutation

EXPERT_THEOREMS = expert_theorems.THEOREMS | regret_theorems.THEOREMS
LOSSES = ("square", "absolute", "percentage", "log", "pinball", "zero-one")
MOST_ROUNDS, MOST_BITS = 50_000_000, 30
ADVISED = ("wm", "rwm", "hedge", "adahedge", "squint")


class Checked(NamedTuple):
    """A theorem of the certificate that was derived anew and agrees."""

    learner: str
    theorem: str
    verdict: str
    observed: float
    bound: float | None


def parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """A spec as its name and parameters.

    >>> parsed("hedge:rate=0.5,loss=absolute")
    ('hedge', {'rate': 0.5, 'loss': 'absolute'})
    """
    name, _, text = spec.partition(":")
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, word = part.partition("=")
        words = {"true": True, "false": False, "none": None}
        try:
            given[key] = words[word] if word in words else float(word)
        except ValueError:
            given[key] = word
    return name, given


# ---- run ---------------------------------------------------------------------------------------


def check_run(told: dict[str, Any], paths: list[Path]) -> list[Checked]:
    """Linear learners over examples."""
    play = told["play"]
    skip = _skips(play)
    rounds = _rounds(told, paths, skip)
    if not 1 <= play["passes"] * max(len(rounds), 1) <= MOST_ROUNDS:
        raise Refused(
            f"the certificate speaks of {play['passes']} passes, and the plain verifier plays at most "
            f"{MOST_ROUNDS:,} rounds"
        )
    played = [rounds[r] for turn in range(play["passes"]) for r in _order(play["shuffle"], turn, len(rounds))]
    drawn = play["passes"] == 1 and play["shuffle"] is not None
    checked = []
    for run in told["runs"]:
        name, given = parsed(run["learner"])
        if name not in TWINS:
            raise Refused(f"the verifier does not know the learner '{name}': nothing about it was checked")
        try:
            again = LinearRun(TWINS[name](**given), given, played, skip, drawn)
        except ValueError as problem:
            raise Refused(f"{run['learner']} refuses the data: {problem}") from None
        _compare(run, rounds=again.rounds, mistakes=again.mistakes, updates=again.updates)
        checked += _hold(run, linear_theorems.theorems_about(again), again)
    return checked


def _skips(play: Mapping[str, Any]) -> bool:
    """Whether bad rows were passed over."""
    if play["on_bad_row"] not in ("stop", "skip"):
        raise Refused(f"on_bad_row is {play['on_bad_row']!r}; it must be stop or skip")
    return bool(play["on_bad_row"] == "skip")


def _order(shuffle: int | None, turn: int, count: int) -> list[int]:
    """The order of one pass."""
    return list(range(count)) if shuffle is None else permutation(shuffle + turn, count)


def _rounds(told: dict[str, Any], paths: list[Path], skip: bool) -> list[Round]:
    """The rounds of the data files, or those that the certificate carries."""
    data = told["data"]
    if data.get("stored") is not None:
        rounds = stored_rounds(data["stored"])
    elif not paths:
        raise Refused(
            f"this certificate speaks of {', '.join(data['names'])}: give the data after the certificate"
        )
    elif told["play"]["format"] != "libsvm":
        raise Refused(
            f"the data was read as {told['play']['format']}, and the verifier reads libsvm only: write the "
            "data as libsvm (noregret convert DATA OUT.svm), run that, and verify its certificate"
        )
    else:
        bits = told["play"].get("bits")
        if bits is not None and not 1 <= bits <= MOST_BITS:
            raise Refused(f"bits is {bits}; it must be from 1 to {MOST_BITS}")
        rounds = list(read_libsvm(paths, told["play"]["positive"], skip, bits))
    _require_data(told, fingerprint(rounds), len(rounds))
    return rounds


def _require_data(told: dict[str, Any], found: str, count: int) -> None:
    data = told["data"]
    if count != data["rounds"]:
        raise Refused(
            f"this is other data: it has {count:,} rounds, and the certificate speaks of {data['rounds']:,}"
        )
    if found != data["fingerprint"]:
        raise Refused(
            f"this is other data, or it was changed: its fingerprint is {found[:23]}…, and that of the "
            f"certificate {data['fingerprint'][:23]}…"
        )


# ---- experts -----------------------------------------------------------------------------------


def check_experts(told: dict[str, Any], paths: list[Path]) -> list[Checked]:
    """Rules over a table of forecasts."""
    play = told["play"]
    if len(paths) != 1:
        raise Refused(f"this certificate speaks of {', '.join(told['data']['names'])}: give that file")
    if str(play["loss"]) not in LOSSES:
        raise Refused(f"the verifier does not know the loss '{play['loss']}'")
    skip = _skips(play)
    rows = read_forecasts(paths[0], play["target"], play["experts"], play["series"], play["loss"], skip)
    _require_data(told, fingerprint(map(_as_round, rows)), len(rows))
    checked = []
    for run in told["runs"]:
        own = [row for row in rows if row.series == run["series"]]
        name, given = parsed(run["learner"])
        n = len(play["experts"])
        again = play_advice(name, given, n, [row.said for row in own], [row.truth for row in own])
        _compare(run, rounds=again.rounds)
        checked += _hold(run, EXPERT_THEOREMS, again)
    return checked


def _as_round(row: Forecast) -> Round:
    mark = 1.0 if row.series is None else series_mark(row.series)
    said = [float("nan") if one is None else one for one in row.said]
    return Round(row.truth, mark, range(len(said)), said)


# ---- duel --------------------------------------------------------------------------------------


def check_duel(told: dict[str, Any], paths: list[Path]) -> list[Checked]:
    """A learner over a class; the certificate carries the rounds."""
    play = told["play"]
    rounds = _rounds(told, [], skip=False)
    if classes.rebuilt(play["class"]):
        table = classes.named(play["class"])
    else:
        table = classes.from_hexadecimal(play["table"]["rows"], play["table"]["points"])
    labelled = [now for now in rounds if now.label is not None]
    points = [int(feature) for now in labelled for feature in now.features]
    labels = [int(now.label or 0) for now in labelled]
    checked = []
    for run in told["runs"]:
        name, given = parsed(run["learner"])
        if name in ADVISED:
            again, mistakes = _advised(name, given, table, points, labels, play["seed"])
            _compare(run, rounds=len(rounds), mistakes=mistakes)
            checked += _hold(run, EXPERT_THEOREMS, again)
        else:
            finite = FiniteRun(name, given, table, points, labels)
            _compare(run, rounds=len(rounds), mistakes=finite.mistakes)
            checked += _hold(run, finite_theorems.THEOREMS, finite)
    return checked


def _advised(
    name: str, given: dict[str, Any], table: classes.Table, points: list[int], labels: list[int], seed: int
) -> tuple[ExpertsRun, int]:
    """A rule with the hypotheses as its experts; the mistakes are those of the vote, or of the coin."""
    advice = [[float(table.says(h, point)) for h in range(table.size)] for point in points]
    if name == "wm":
        run = play_votes(given, table.size, advice, [float(label) for label in labels])
        return run, int(run.loss)
    losses = [[abs(one - label) for one in said] for said, label in zip(advice, labels, strict=True)]
    run = play_losses(name, given, table.size, losses)
    mistakes = 0
    for t, (turn, said, label) in enumerate(zip(run.turns, advice, labels, strict=True), 1):
        chance = sum(weight * one for weight, one in zip(turn.weights, said, strict=True))
        mistakes += (coin(seed, t) < min(1.0, max(0.0, chance))) != label
    return run, mistakes


# ---- what they share ---------------------------------------------------------------------------


def _compare(run: Mapping[str, Any], **found: int) -> None:
    for name, value in found.items():
        if run[name] != value:
            raise Refused(
                f"{run['learner']}: {name} is {run[name]:,} in the certificate, and was found {value:,}"
            )


def _hold(run: Mapping[str, Any], theorems: Mapping[str, Any], again: Any) -> list[Checked]:
    checked = []
    require_complete(run["learner"], *parsed(run["learner"]), [one["theorem"] for one in run["certificates"]])
    for entry in run["certificates"]:
        claim = Claim(entry)
        if claim.theorem not in theorems:
            raise Refused(f"the verifier cannot derive the theorem '{claim.theorem}': it was not checked")
        found: Found = theorems[claim.theorem](again, claim)
        claim.compare(found)
        checked.append(Checked(run["learner"], claim.theorem, claim.verdict, claim.observed, claim.bound))
    return checked


CHECKS: dict[str, Callable[[dict[str, Any], list[Path]], list[Checked]]] = {
    "run": check_run,
    "experts": check_experts,
    "duel": check_duel,
}
