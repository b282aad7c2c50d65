"""The losses: what a prediction costs once the truth is known.

By name: ``square``, ``absolute``, ``percentage`` (|error|/|truth|), ``log`` (advice is the probability of 1),
``pinball`` or ``pinball-0.9`` (for that quantile), ``zero-one`` (advice and truth are labels, predictions a
vote). Or any function of a prediction and a truth that gives a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter, BadType
from noregret.parameters import written
from noregret.rounds import Floats

LossFunction: TypeAlias = Callable[[float, float], float]
NAMES = ("square", "absolute", "percentage", "log", "pinball", "zero-one")
SUREST = 1e-15  # log: a probability nearer to 0 or 1 counts as this near


class Loss(NamedTuple):
    """A loss by its name in the core, or a function of the user's."""

    name: str
    quantile: float = 0.5
    function: LossFunction | None = None

    @property
    def text(self) -> str:
        """The name as it is written in specs."""
        told = self.name == "pinball" and self.quantile != 0.5
        return f"pinball-{written(self.quantile)}" if told else self.name

    def of(self, said: Any, truth: Any) -> Floats:
        """What predictions cost, for arrays that fit each other."""
        p, y = np.broadcast_arrays(np.asarray(said, dtype=np.float64), np.asarray(truth, dtype=np.float64))
        if self.function is not None:
            each = [self._call(a, b) for a, b in zip(p.ravel().tolist(), y.ravel().tolist(), strict=True)]
            return np.array(each, dtype=np.float64).reshape(p.shape)
        return np.asarray(_FORMULAS[self.name](p, y, self.quantile), dtype=np.float64)

    def _call(self, said: float, truth: float) -> float:
        if math.isnan(said):
            return math.nan  # asleep
        assert self.function is not None
        cost = self.function(said, truth)
        try:
            return float(cost)
        except (TypeError, ValueError):
            raise BadType(f"the loss gave {cost!r}; it must give a number") from None


def parse_loss(loss: str | LossFunction) -> Loss:
    """Read a loss: a name, or a function.

    >>> parse_loss("pinball-0.9").quantile
    0.9
    """
    if callable(loss):
        return Loss("square", function=loss)
    name, _, tail = loss.partition("-") if loss.startswith("pinball") else (loss, "", "")
    if name not in NAMES:
        raise BadParameter(f"there is no loss called '{loss}'; write {', '.join(NAMES[:-1])} or {NAMES[-1]}")
    if not tail:
        return Loss(name)
    try:
        quantile = float(tail)
    except ValueError:
        quantile = math.nan
    if not 0.0 < quantile < 1.0:
        raise BadParameter(f"the quantile of '{loss}' must lie between 0 and 1, as in pinball-0.9")
    return Loss(name, quantile)


def _log(p: Floats, y: Floats, _: float) -> NDArray[Any]:
    sure = np.clip(p, SUREST, 1.0 - SUREST)
    return -(y * np.log(sure) + (1.0 - y) * np.log(1.0 - sure))


def _zero_one(p: Floats, y: Floats, _: float) -> NDArray[Any]:
    return np.where(np.isnan(p), np.nan, (p != y).astype(np.float64))


_FORMULAS: dict[str, Callable[[Floats, Floats, float], NDArray[Any]]] = {
    "square": lambda p, y, _: (p - y) ** 2,
    "absolute": lambda p, y, _: np.abs(p - y),
    "percentage": lambda p, y, _: np.abs(p - y) / np.abs(y),
    "log": _log,
    "pinball": lambda p, y, q: np.where(p >= y, (1.0 - q) * (p - y), q * (y - p)),
    "zero-one": _zero_one,
}
