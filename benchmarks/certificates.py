"""Certificates on eight real data sets: what they cost, what they say and how near their bounds are.

Every learner of the list plays every set twice, in a fresh process each: `noregret run … --no-certify`, and
with certificates. The first table has the wall times, verdicts and bounds, and the lines below it sums and
medians. --save keeps everything as JSON; --against compares the bounds with those of such a file.

--large measures time and peak memory on 220 MB and 1.1 GB of libsvm text instead, which is made in the
temporary folder and removed afterwards.

The data is not part of this repository: set NOREGRET_DATA to the folder that holds it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from certificate_memory import large
from certificate_runs import LEARNERS, SETS, measured, pairs
from side_by_side import arguments, print_table, repeats

TIMES, SECONDS_EACH = 2.0, 0.5  # the goal: Σ with ≤ 2 × Σ without + 0.5 s a run
LARGER = 1.05  # a bound that grew by more than 5 % is listed
HEAD = ("set", "learner", "without", "with", "theorem", "verdict", "observed", "bound", "ratio", "vacuous")
QUICK = (["agaricus"], ["perceptron:bias=true", "pa1"])


def main() -> None:
    """Run, print, save, compare."""
    options = _options()
    if options.large:
        large(quick=options.quick)
        return
    runs: list[dict[str, Any]] = []
    for data, spec in pairs(options.sets, options.learners):
        runs.append(measured(options.folder, data, spec, repeats(options)))
        show_progress(runs[-1])
        if options.save is not None:
            options.save.write_text(json.dumps({"runs": runs}, indent=1), encoding="utf-8")
    print_table(table(runs))
    print()
    for data in options.sets:
        print_sums(data, [run for run in runs if run["set"] == data])
    print_sums("all sets", runs)
    print_goal(runs)
    print_reasons(runs)
    if options.against is not None:
        then = json.loads(options.against.read_text(encoding="utf-8"))["runs"]
        compare(runs, then)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, repeats=1, quick_repeats=1)
    parser.add_argument("--sets", type=_names, metavar="A,B", help=f"of {', '.join(SETS)}")
    parser.add_argument(
        "--learners",
        type=_names,
        metavar="A,B",
        help="of the list, by the beginning of their spec, or specs that are not in it",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write times and certificates as JSON")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with what --save wrote before")
    parser.add_argument("--large", action="store_true", help="time and memory on 220 MB and 1.1 GB of text")
    options = parser.parse_args()
    options.sets = options.sets or (QUICK[0] if options.quick else list(SETS))
    if unknown := [one for one in options.sets if one not in SETS]:
        parser.error(f"there is no set called {', '.join(unknown)}; there is {', '.join(SETS)}")
    options.learners = _specs(options.learners or (QUICK[1] if options.quick else list(LEARNERS)))
    if not options.large:
        options.folder = _folder(parser, options.sets)
    return options


def _names(text: str) -> list[str]:
    """Split a list at commas; a part such as covariance=full belongs to the spec before it."""
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def _specs(names: Sequence[str]) -> list[str]:
    chosen = []
    for name in names:
        short = [spec for spec in LEARNERS if spec.partition(":")[0] == name]
        chosen += [name] if name in LEARNERS or not short else short
    return chosen


def _folder(parser: argparse.ArgumentParser, sets: Sequence[str]) -> Path:
    folder = os.environ.get("NOREGRET_DATA")
    if folder is None:
        parser.error("set NOREGRET_DATA to the folder of data files")
    if missing := [SETS[one][0] for one in sets if not (Path(folder) / SETS[one][0]).exists()]:
        parser.error(f"{folder} has no {', '.join(missing)}")
    return Path(folder)


def show_progress(run: dict[str, Any]) -> None:
    """Print a line for a finished run on standard error, because the whole table takes a while."""
    told = run["error"] or f"{run['seconds_without']:.2f} s without, {run['seconds_with']:.2f} s with"
    print(f"{run['set']}, {run['learner']}: {told}", file=sys.stderr)


def table(runs: Iterable[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Lay out a row for each certificate; times stand in the first row of each run."""
    rows = [HEAD]
    for run in runs:
        cells = (run["set"], run["learner"], f"{run['seconds_without']:.2f}", f"{run['seconds_with']:.2f}")
        for one in run["certificates"] or [{"theorem": run["error"] or "no theorem"}]:
            vacuous = {None: "", True: "vacuous", False: "no"}[one.get("vacuous")]
            numbers = (_number(one.get("observed")), _number(one.get("bound")), _number(ratio(one), ".3g"))
            rows.append((*cells, one["theorem"], one.get("verdict", ""), *numbers, vacuous))
            cells = ("", "", "", "")
    return rows


def _number(value: float | None, format: str = ",.6g") -> str:
    return "" if value is None else f"{value:{format}}"


def ratio(certificate: dict[str, Any]) -> float | None:
    """Bound over observed; None if there is no bound or nothing was observed."""
    bound, observed = certificate.get("bound"), certificate.get("observed")
    if bound is None or observed is None or observed <= 0 or not math.isfinite(bound):
        return None
    return float(bound / observed)


def print_sums(title: str, runs: Sequence[dict[str, Any]]) -> None:
    """Print a line with the sums of times, counts of verdicts, and the median of bound/observed."""
    found = [one for run in runs for one in run["certificates"]]
    without, with_ = (sum(run[key] for run in runs) for key in ("seconds_without", "seconds_with"))
    cpu = sum(run["cpu_with"] for run in runs) / max(sum(run["cpu_without"] for run in runs), 1e-9)
    verdicts = ", ".join(
        f"{sum(one['verdict'] == verdict for one in found)} {verdict}"
        for verdict in ("holds", "silent", "broken")
    )
    telling = [r for one in found if one["vacuous"] is False and (r := ratio(one)) is not None]
    median = f"{statistics.median(telling):.3g}" if telling else "–"
    failed = sum(bool(run["error"]) for run in runs)
    print(
        f"{title}: {with_:.1f} s with / {without:.1f} s without = {with_ / max(without, 1e-9):.2f}× "
        f"(processor time {cpu:.2f}×); "
        f"{len(found)} certificates, {verdicts}, {sum(one['vacuous'] is True for one in found)} vacuous; "
        f"median of bound/observed {median} over {len(telling)}" + (f"; {failed} FAILED" if failed else "")
    )


def print_goal(runs: Sequence[dict[str, Any]]) -> None:
    """Hold the sums of times against the goal."""
    allowed = TIMES * sum(run["seconds_without"] for run in runs) + SECONDS_EACH * len(runs)
    spent = sum(run["seconds_with"] for run in runs)
    verdict = "met" if spent <= allowed else "MISSED"
    print(
        f"\ngoal: at most {TIMES:g} × the time without + {SECONDS_EACH:g} s a run, {allowed:.1f} s: {verdict}"
    )


def print_reasons(runs: Iterable[dict[str, Any]]) -> None:
    """List the silent certificates with their reasons, the broken ones, and vacuous ones without a mark."""
    for verdict in ("silent", "broken"):
        listed = [(run, one) for run in runs for one in run["certificates"] if one["verdict"] == verdict]
        print(f"\n{verdict}: {len(listed)}")
        for run, one in listed:
            print(f"  {run['set']}, {run['learner']}, {one['theorem']}: {one['reason']}")
    unmarked = [(run, one) for run in runs for one in run["certificates"] if one["unmarked"]]
    print(f"\nvacuous, and not marked as vacuous: {len(unmarked)}" + (": MISSED" if unmarked else ""))
    for run, one in unmarked:
        print(f"  {run['set']}, {run['learner']}, {one['theorem']}: {one['reason']}")


Key = tuple[str, str, str]


def compare(now: Sequence[dict[str, Any]], then: Sequence[dict[str, Any]]) -> None:
    """Print the bounds that grew by more than 5 %, those that are gone, and the medians then and now.

    A theorem that is no longer shown is compared by the least bound for the same observed quantity.
    """
    bounds_now, bounds_then = _by_theorem(now), _by_theorem(then)
    played = {(run["set"], run["learner"]) for run in now}
    kept = {key: one for key, one in bounds_then.items() if key[:2] in played and one["bound"] is not None}
    print(f"\nagainst {len(kept)} bounds of the earlier file")
    larger, gone, both = [], [], []
    for key, before in kept.items():
        after, instead = _after(key, before, bounds_now)
        name = ", ".join(key) + (f" (now by {instead})" if instead else "")
        if after is None:
            gone.append(name)
            continue
        both.append((before, after))
        if after["bound"] > LARGER * before["bound"]:
            larger.append(f"{name}: {before['bound']:,.6g} → {after['bound']:,.6g}")
    for title, lines in (("larger by more than 5 %", larger), ("without a bound now", gone)):
        print(f"{title}: {len(lines)}" + (": MISSED" if lines else ""))
        for line in lines:
            print(f"  {line}")
    new = [key for key, one in bounds_now.items() if one["bound"] is not None and key not in kept]
    print(f"bounds that were not there or silent: {len(new)}")
    print_medians(both)


def _by_theorem(runs: Iterable[dict[str, Any]]) -> dict[Key, dict[str, Any]]:
    return {(run["set"], run["learner"], one["theorem"]): one for run in runs for one in run["certificates"]}


def _after(
    key: Key, before: dict[str, Any], now: dict[Key, dict[str, Any]]
) -> tuple[dict[str, Any] | None, str]:
    """Return the certificate to compare with and, if it is of another theorem, that theorem's name."""
    same = now.get(key)
    if same is not None and same["bound"] is not None:
        return same, ""
    others = {
        other[2]: one
        for other, one in now.items()
        if other[:2] == key[:2] and one["about"] == before["about"] and one["bound"] is not None
    }
    if not others:
        return None, ""
    least = min(others, key=lambda name: others[name]["bound"])
    return others[least], least


def print_medians(both: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Print medians of bound now / bound then, and of bound/observed where it was not vacuous then."""
    changes = [after["bound"] / before["bound"] for before, after in both if before["bound"] > 0]
    if not changes:
        return
    print(f"median of bound now / bound then: {statistics.median(changes):.3g} over {len(changes)}")
    telling = [
        (ratio(before), ratio(after))
        for before, after in both
        if before["vacuous"] is False and ratio(before) is not None and ratio(after) is not None
    ]
    if telling:
        then, now = (statistics.median(column) for column in zip(*telling, strict=True))
        verdict = "met" if now < then else "MISSED"
        print(f"not vacuous then, bound/observed: {then:.3g} → {now:.3g} over {len(telling)}: {verdict}")


if __name__ == "__main__":
    main()
