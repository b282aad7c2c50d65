"""A witness that the caller gives: a target by feature, or as an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from noregret.certificate import shown
from noregret.errors import BadInput, BadType
from noregret.judged import Judged, Witness
from noregret.rounds import Floats

SMALLEST, LARGEST = 1e-50, 1e50


class GivenWitness:
    """A target laid out by the columns of a run; its bias, if any, has the key None or comes last.

    With several classes it is a dict by class, or an array with a row for each in their order.
    """

    def __init__(self, witness: Any, run: Judged, columns: Any) -> None:
        """Lay it out; a target that does not fit the run is refused with a sentence."""
        self._longest = -1  # of an array: features from this number on have no weight in it
        parts = _by_class(witness, run.classes) if run.classes else [witness]
        told = [_numbers(part) for part in parts]
        weights = [self._by_feature(part, run) for part in told]
        place = {feature: columns.add(feature) for part, _ in weights for feature in part}
        rows = [self._laid(part, base, place, len(columns), run.bias) for part, base in weights]
        self.witness = Witness(np.array(rows) if run.classes else rows[0])

    def _by_feature(self, numbers: Any, run: Judged) -> tuple[dict[Any, float], float]:
        """The weights that are not 0, and that of the bias."""
        if isinstance(numbers, Mapping):
            features = {feature: value for feature, value in numbers.items() if feature is not None}
            base = numbers.get(None, 0.0)
        else:
            if any(isinstance(feature, str) for feature in _known(run)):
                raise BadInput("these features have names: give the witness as a dict by name")
            width = _width(run)
            if getattr(run.ledger.nature, "width", -1) >= 0 and width < len(numbers) - run.bias:
                also = " and the bias" if run.bias else ""
                raise BadInput(
                    f"the witness has {len(numbers)} numbers, and there are {width} features{also}"
                )
            has_base = run.bias and 0 <= width < len(numbers)
            self._longest = len(numbers) - has_base
            base = float(numbers[-1]) if has_base else 0.0
            features = dict(enumerate(numbers[: self._longest].tolist()))
        everything = np.array([*features.values(), base], dtype=np.float64)
        if not np.isfinite(everything).all():
            raise BadInput("the witness must hold finite numbers")
        largest = float(np.max(np.abs(everything), initial=0.0))
        if largest and not SMALLEST <= largest <= LARGEST:
            raise BadInput(
                f"the largest number of the witness is {shown(largest)}; "
                f"it must be from {SMALLEST:g} to {LARGEST:g}"
            )
        return {feature: value for feature, value in features.items() if value != 0.0}, base

    @staticmethod
    def _laid(part: dict[Any, float], base: float, place: dict[Any, int], width: int, bias: bool) -> Floats:
        laid = np.zeros(width + bias)
        for feature, value in part.items():
            laid[place[feature]] = value
        if bias:
            laid[-1] = base
        return laid

    def check(self, run: Judged) -> None:
        """Refuse an array that is too short, now that all features are known."""
        if self._longest < 0:
            return
        beyond = [
            feature for feature in run.features if isinstance(feature, int) and feature >= self._longest
        ]
        if beyond:
            raise BadInput(f"the witness has {self._longest} numbers, and feature {beyond[0]} occurs")


def _known(run: Judged) -> list[Any]:
    """Features that the learner has weights for."""
    weights = run.ledger.final.weights
    if run.classes:
        return [feature for part in weights.values() for feature in part]
    return list(weights)


def _width(run: Judged) -> int:
    """The number of features without the bias; where the source does not tell, by the learner's weights."""
    width = getattr(run.ledger.nature, "width", -1)
    if width >= 0:
        return int(width)
    return max((int(feature) for feature in _known(run)), default=-2) + 1


def _by_class(witness: Any, classes: Sequence[Any]) -> list[Any]:
    if isinstance(witness, Mapping):
        return [witness.get(one, {}) for one in classes]
    if not hasattr(witness, "__len__") or isinstance(witness, str):
        raise BadType("the witness of several classes is a dict by class, or an array with a row for each")
    if len(witness) != len(classes):
        raise BadInput(f"the witness has {len(witness)} rows, and there are {len(classes)} classes")
    return list(witness)


def _numbers(witness: Any) -> Any:
    """A witness as numbers: by feature, or one after the other."""
    from noregret.examples import number

    try:
        if isinstance(witness, Mapping):
            return {feature: number(value) for feature, value in witness.items()}
        return np.asarray(witness, dtype=np.float64).ravel()
    except (TypeError, ValueError, OverflowError):
        raise BadType("the witness must hold numbers: a dict by feature, or an array") from None
