"""The runs of `noregret run` played again: linear learners, learners of classes or numbers, and panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import TWINS, class_theorems, linear_theorems, panel_theorems
from .checking import Checked, compare, hold, parsed
from .class_runs import ClassRun
from .data import Reader, rounds_of, skips
from .expected import late_theorems_of, theorems_of
from .linear import Linear
from .linear_runs import LinearRun
from .multiclass import Classes
from .panel_runs import PANELS, PanelRun
from .rounds import Refused, Round
from .shuffling import permutation

MOST_ROUNDS = 50_000_000


def check_run(told: dict[str, Any], paths: list[Path], reader: Reader | None) -> list[Checked]:
    """Learners over examples."""
    play = told["play"]
    rounds = rounds_of(told, paths, reader)
    if not 1 <= play["passes"] * max(len(rounds), 1) <= MOST_ROUNDS:
        raise Refused(
            f"the certificate speaks of {play['passes']} passes, and the plain verifier plays at most "
            f"{MOST_ROUNDS:,} rounds"
        )
    _require_lag(play["lag"])
    played = [rounds[r] for turn in range(play["passes"]) for r in _order(play["shuffle"], turn, len(rounds))]
    checked = []
    for run in told["runs"]:
        try:
            checked += _check(run, play, played)
        except (ValueError, TypeError) as problem:
            if isinstance(problem, Refused):
                raise
            raise Refused(f"{run['learner']} refuses the data: {problem}") from None
    return checked


def _require_lag(lag: Any) -> None:
    if not isinstance(lag, int) or isinstance(lag, bool) or not 0 <= lag <= MOST_ROUNDS:
        raise Refused(f"lag is {lag!r}; it must be a whole number, 0 or more")


def _order(shuffle: int | None, turn: int, count: int) -> list[int]:
    """The order of one pass."""
    return list(range(count)) if shuffle is None else permutation(shuffle + turn, count)


def _check(run: Mapping[str, Any], play: Mapping[str, Any], rounds: Sequence[Round]) -> list[Checked]:
    if str(run["learner"]).partition(":")[0] in PANELS:
        return _check_panel(run, play, rounds)
    name, given = parsed(run["learner"])
    if name not in TWINS:
        raise Refused(f"the verifier does not know the learner '{name}': nothing about it was checked")
    twin, skip, lag = TWINS[name](**given), skips(play), play["lag"]
    expected = late_theorems_of(name, given) if lag else theorems_of(name, given)
    _require_task(run["learner"], play["task"], task_of(twin))
    if isinstance(twin, Classes):
        classes = ClassRun(twin, given, rounds, skip, lag, play["announced"])
        compare(run, rounds=classes.rounds, mistakes=classes.mistakes, updates=classes.updates)
        return hold(run, linear_theorems.speaking(class_theorems.THEOREMS, classes), classes, expected)
    again = LinearRun(twin, given, rounds, skip, lag, _drawn(play))
    compare(run, rounds=again.rounds, mistakes=again.counted, updates=again.updates)
    return hold(run, linear_theorems.speaking(linear_theorems.THEOREMS, again), again, expected)


def _drawn(play: Mapping[str, Any]) -> bool:
    """Whether the order was drawn at random: by a seed, or before the rounds were kept.

    That nobody chose the draw is taken from the writer, of a seed as well.
    """
    told = play.get("drawn", False)
    if not isinstance(told, bool):
        raise Refused(f"drawn is {told!r}; it must be true or false")
    return play["passes"] == 1 and (told or play["shuffle"] is not None)


def task_of(twin: Linear) -> str:
    """What the labels of a twin are: classes, −1 and +1, or numbers such as the score itself or a rank."""
    if isinstance(twin, Classes):
        return "multiclass"
    return "binary" if twin.decide(0.25) in (-1.0, 1.0) else "regression"


def _require_task(learner: str, told: str, found: str) -> None:
    if told != found:
        raise Refused(f"{learner}: the task is {told} in the certificate, and the learner is for {found}")


def _check_panel(run: Mapping[str, Any], play: Mapping[str, Any], rounds: Sequence[Round]) -> list[Checked]:
    _require_task(run["learner"], play["task"], "binary")
    if play["lag"]:
        raise Refused(f"{run['learner']}: the verifier plays panels only where every label came at once")
    again = PanelRun(run["learner"], rounds, skips(play))
    compare(run, doubt=again.doubt, rounds=again.played, mistakes=again.mistakes, updates=again.updates)
    expected = [*theorems_of(again.name, again.parameters), "Half the weight"]
    return hold(run, panel_theorems.THEOREMS, again, expected)
