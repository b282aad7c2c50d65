"""Certify a run: every theorem of its learner, with the best witness that hindsight finds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, Verdict, conclude, shown
from noregret.errors import BadInput, BadType
from noregret.examples import number
from noregret.experts.account import Account
from noregret.experts.rule import ExpertRule
from noregret.experts.run import ExpertRun
from noregret.hindsight.experts import least_sequences
from noregret.hindsight.margins import MARGINS, Margin, largest_margin
from noregret.hindsight.programs import TOO_LARGE, too_large
from noregret.hindsight.witnesses import candidates
from noregret.ledger import Ledger, Replay
from noregret.linear.learner import vector
from noregret.replay import replay
from noregret.rounding import above
from noregret.rounds import Floats

SMALLEST, LARGEST = 1e-50, 1e50  # beyond, squares and their sums would leave the doubles
SWITCHES = 32  # a tracking bound is tried with up to so many


@np.errstate(over="ignore", invalid="ignore")  # a learner may have run away
def certify(ledger: Ledger | ExpertRule | ExpertRun, witness: Any = None) -> list[Certificate]:
    """Hold a run against its theorems; `witness` is a target u by feature, or as an array.

    A rule over experts certifies all that it has played so far.

    >>> import numpy as np, noregret as nr
    >>> worst = nr.standard_basis(100)
    >>> [str(c) for c in nr.certify(nr.play(worst, nr.Perceptron()))][0]
    'Novikoff: HOLDS (100 ≤ 100)'
    """
    if isinstance(ledger, ExpertRule):
        return certify_experts(ledger.account(), ledger.theorems())
    if isinstance(ledger, ExpertRun):
        return certify_experts(ledger.account, ledger.theorems)
    if not isinstance(ledger, Ledger):
        raise BadType(f"certify takes the ledger that nr.play gives, not a {type(ledger).__name__}")
    if not ledger.theorems:
        return []
    if ledger.account is not None:
        return certify_experts(ledger.account, ledger.theorems)
    scaled = getattr(ledger.start, "scale", "none")
    if scaled != "none":
        return [_scaled(theorem, ledger, scaled) for theorem in ledger.theorems]
    try:
        again = replay(ledger)
    except BadInput as problem:
        return [_cannot(theorem, ledger, str(problem)) for theorem in ledger.theorems]
    if again is None:
        why = "its rounds were not kept" if ledger.nature is None else "the learner has no clone()"
        return [_cannot(theorem, ledger, why) for theorem in ledger.theorems]
    unmet = _unmeasurable(again) if isinstance(again, Replay) else None
    if unmet is not None:
        return [conclude(theorem, ledger.mistakes, None, [unmet]) for theorem in ledger.theorems]
    given = witness if witness is not None else getattr(ledger.nature, "witness", None)
    compared = any(theorem.comparator is not None for theorem in ledger.theorems)
    told = _by_column(given, again) if compared and given is not None else None
    found: dict[str, _Searched] = {}
    return [_best(theorem, again, told, witness is None, found) for theorem in ledger.theorems]


def certify_experts(account: Account, theorems: Sequence[Theorem]) -> list[Certificate]:
    """Hold a run over experts against its theorems, with the sequences that hindsight finds."""
    least = None
    if account.losses is not None and any(theorem.comparator == "sequences" for theorem in theorems):
        least = least_sequences(account.losses, min(SWITCHES, max(account.rounds - 1, 0)))
    return [theorem.certify(account, least) for theorem in theorems]


def _cannot(theorem: Theorem, ledger: Ledger, why: str) -> Certificate:
    return conclude(theorem, ledger.mistakes, None, [Hypothesis("the run can be played again", False, why)])


def _scaled(theorem: Theorem, ledger: Ledger, scale: str) -> Certificate:
    why = f"scale={scale} shows the rule other rows, and the theorem speaks of those"
    return conclude(
        theorem, ledger.mistakes, None, [Hypothesis("rows are learned as they are given", False, why)]
    )


def _unmeasurable(again: Replay) -> Hypothesis | None:
    """What keeps every theorem from being held against a run: there is nothing in it, or too much."""
    undecided = again.ledger.task == "multiclass" or any(map(math.isnan, again.scalars.values()))
    if len(again.labels) == 0 and undecided:
        return Hypothesis("some round has a label", False, "none has")
    numbers = again.labels if again.ledger.task == "regression" else np.empty(0)
    for largest in (np.max(np.abs(again.rows.data), initial=0.0), np.max(np.abs(numbers), initial=0.0)):
        if largest and not SMALLEST <= largest <= LARGEST:
            told = f"the largest is {shown(float(largest))}, and must be from {SMALLEST:g} to {LARGEST:g}"
            return Hypothesis("numbers can be squared without loss", False, told)
    return None


def _is_measurable(u: Floats, again: Replay) -> bool:
    """Whether ‖u‖² and ⟨u,x⟩² are doubles: a learner that went astray has weights of which they are not."""
    largest = float(np.max(np.abs(u), initial=0.0))
    return largest * max(1.0, float(np.max(np.abs(again.rows.data), initial=0.0))) < LARGEST**2


class _Searched(NamedTuple):
    """What hindsight found for a kind of witness."""

    witnesses: list[Floats]
    margin: Margin | None
    note: str  # where a limit was met


def _searched(kind: str, again: Replay) -> _Searched:
    limits: list[str] = []
    margin = largest_margin(kind, again)
    witnesses = [*candidates(kind, again, limits), *([] if margin is None else [margin.witness])]
    if margin is not None and margin.stopped:
        limits.append("the search for the largest margin ended at its limit of steps")
    if kind in MARGINS and too_large(again):
        limits.append(TOO_LARGE)
    return _Searched(witnesses, margin, "; ".join(dict.fromkeys(limits)))


def _best(
    theorem: Theorem, again: Replay, told: Floats | None, search: bool, found: dict[str, _Searched]
) -> Certificate:
    """Try the witnesses; keep the smallest bound. One broken bound is enough to be broken."""
    kind = theorem.comparator
    if kind is None:
        return theorem.certify(again, None)
    if search and kind not in found:
        found[kind] = _searched(kind, again)
    witnesses, margin, note = found.get(kind, _Searched([], None, ""))
    fit = [u for u in witnesses if _is_measurable(u, again)] or [np.zeros_like(u) for u in witnesses[:1]]
    witnesses = ([] if told is None else [told]) + fit
    tried = [(theorem.certify(again, u), u) for u in witnesses]
    best, u = min(tried, key=lambda one: _rank(one[0]))
    best = replace(best, witness=_by_feature(u, again), note=note)
    return best if margin is None else _with_gap(theorem, best, margin)


def _with_gap(theorem: Theorem, certificate: Certificate, margin: Margin) -> Certificate:
    """Say how much larger the margin of any witness could be, with the weights that prove it."""
    achieved = getattr(theorem, "margin", None)
    if achieved is None or certificate.bound is None or not np.isfinite(margin.at_most):
        return certificate
    most = above(margin.at_most)
    gap = max(0.0, most - achieved(certificate.quantities))
    quantities = certificate.quantities | {"margin_at_most": most, "gap": gap}
    return replace(certificate, quantities=quantities, dual=margin.dual)


def _by_feature(u: Floats, again: Replay) -> dict[Any, Any]:
    """A witness by feature without its zeros; a bias has the key None. Several classes have one each."""
    if u.ndim == 2:
        return {one: _by_feature(part, again) for one, part in zip(again.classes, u, strict=True)}
    keys = [*again.features, *([None] if again.bias else [])]
    columns = u if again.features else u[1:]  # where there is no feature, the first column stands for none
    return {key: value for key, value in zip(keys, columns.tolist(), strict=False) if value != 0.0}


def _rank(certificate: Certificate) -> tuple[int, float]:
    order = {Verdict.BROKEN: 0, Verdict.HOLDS: 1, Verdict.SILENT: 2}
    unmet = sum(not h.met for h in certificate.hypotheses) + certificate.quantities.get("wrong", 0.0)
    return order[certificate.verdict], unmet if certificate.bound is None else certificate.bound


def _by_column(witness: Any, again: Replay) -> Floats:
    """Lay a witness out by the columns of the replay; its bias, if any, has the key None or comes last.

    With several classes it is a dict by class, or an array with a row for each class in their order.
    """
    if again.classes:
        return np.array([_one_by_column(part, again) for part in _by_class(witness, again.classes)])
    return _one_by_column(witness, again)


def _by_class(witness: Any, classes: Sequence[Any]) -> list[Any]:
    if isinstance(witness, Mapping):
        return [witness.get(one, {}) for one in classes]
    if not hasattr(witness, "__len__") or isinstance(witness, str):
        raise BadType("the witness of several classes is a dict by class, or an array with a row for each")
    if len(witness) != len(classes):
        raise BadInput(f"the witness has {len(witness)} rows, and there are {len(classes)} classes")
    return list(witness)


def _one_by_column(witness: Any, again: Replay) -> Floats:
    told = _numbers(witness)
    if isinstance(told, Mapping):
        laid = vector(told, again.features)
        bias = told.get(None, 0.0)
    else:
        if any(isinstance(f, str) for f in again.features):
            raise BadInput("these features have names: give the witness as a dict by name")
        beyond = [f for f in again.features if isinstance(f, int) and f >= len(told)]
        if beyond:
            raise BadInput(f"the witness has {len(told)} numbers, and feature {beyond[0]} occurs")
        laid = np.array([told[f] for f in again.features if isinstance(f, int)], dtype=np.float64)
        bias = float(told[-1]) if len(told) > _width(again) else 0.0
    if not np.isfinite([*laid, bias]).all():
        raise BadInput("the witness must hold finite numbers")
    largest = float(np.max(np.abs(laid), initial=0.0))
    if largest and not SMALLEST <= largest <= LARGEST:
        raise BadInput(
            f"the largest number of the witness is {shown(largest)}; "
            f"it must be from {SMALLEST:g} to {LARGEST:g}"
        )
    if len(laid) == 0:
        laid = np.zeros(1)
    return np.append(laid, bias) if again.bias else laid


def _numbers(witness: Any) -> Any:
    """A witness as numbers: by feature, or one after the other."""
    try:
        if isinstance(witness, Mapping):
            return {feature: number(value) for feature, value in witness.items()}
        return np.asarray(witness, dtype=np.float64).ravel()
    except (TypeError, ValueError, OverflowError):
        raise BadType("the witness must hold numbers: a dict by feature, or an array") from None


def _width(again: Replay) -> int:
    """The number of features, the bias not counted."""
    told = getattr(again.ledger.nature, "width", -1)
    return int(told) if told >= 0 else max((f for f in again.features if isinstance(f, int)), default=-1) + 1
