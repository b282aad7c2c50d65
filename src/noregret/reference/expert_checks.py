"""The runs of `noregret experts` played again: rules over a table of forecasts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import expert_theorems, regret_theorems
from .checking import Checked, compare, hold, parsed
from .data import Reader, require_data, skips
from .expected import theorems_of
from .expert_runs import play_advice
from .fingerprint import fingerprint, series_mark
from .forecasts import Forecast, read_forecasts
from .rounds import Refused, Round

THEOREMS = expert_theorems.THEOREMS | regret_theorems.THEOREMS
LOSSES = ("square", "absolute", "percentage", "log", "pinball", "zero-one")


def check_experts(told: dict[str, Any], paths: list[Path], _: Reader | None) -> list[Checked]:
    """Rules over a table of forecasts."""
    play = told["play"]
    if len(paths) != 1:
        raise Refused(f"this certificate speaks of {', '.join(told['data']['names'])}: give that file")
    if str(play["loss"]) not in LOSSES:
        raise Refused(f"the verifier does not know the loss '{play['loss']}'")
    skip = skips(play)
    rows = read_forecasts(paths[0], play["target"], play["experts"], play["series"], play["loss"], skip)
    require_data(told, fingerprint(map(_as_round, rows)), len(rows))
    checked = []
    for run in told["runs"]:
        own = [row for row in rows if row.series == run["series"]]
        name, given = parsed(run["learner"])
        n = len(play["experts"])
        if given.get("n") != n:
            raise Refused(f"{run['learner']}: it does not weigh {n} experts, which the table has")
        told_hits = run.get("hits", {"rounds": [], "sides": []})
        hits = dict(zip(told_hits["rounds"], told_hits["sides"], strict=True))
        again = play_advice(name, given, n, [row.said for row in own], [row.truth for row in own], hits)
        compare(run, rounds=again.rounds)
        checked += hold(run, THEOREMS, again, theorems_of(name, given))
    return checked


def _as_round(row: Forecast) -> Round:
    mark = 1.0 if row.series is None else series_mark(row.series)
    said = [float("nan") if one is None else one for one in row.said]
    return Round(row.truth, mark, range(len(said)), said)
