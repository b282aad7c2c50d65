"""Fixed-Share: exponential weights that can change their mind.

Herbster & Warmuth 1998.
"""

from __future__ import annotations

import math
from typing import ClassVar

from noregret.certificate import Certificate, Theorem
from noregret.errors import BadParameter
from noregret.experts.accepted import GRADIENT, LOSS, N
from noregret.experts.account import Account, nobody_joined, prompt, unit_losses
from noregret.experts.losses import LossFunction
from noregret.experts.rule import ExpertRule
from noregret.parameters import Parameter, positive, within
from noregret.rounds import Floats


class FixedShare(ExpertRule):
    """Exponential weights, of which each expert then gives the share α to the others.

    Follows the best *sequence* of experts. Give rate and share, or the number of rounds (horizon) and of
    switches to be ready for.
    """

    name: ClassVar[str] = "fixed-share"
    summary: ClassVar[str] = "exponential weights with a share for everybody: follows switches"
    keeps_losses: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        N,
        Parameter("rate", 0.5, "η"),
        Parameter("share", 0.01, "α: the share that goes to the others after each round"),
        Parameter("horizon", None, "the number of rounds, when known; with switches it sets rate and share"),
        Parameter("switches", None, "how many switches to be ready for"),
        LOSS,
        GRADIENT,
    )

    def __init__(
        self,
        n: int,
        rate: float = 0.5,
        share: float = 0.01,
        horizon: float | None = None,
        switches: float | None = None,
        loss: str | LossFunction = "square",
        gradient: bool | str = "auto",
    ) -> None:
        """Start with equal weights."""
        if (horizon is None) != (switches is None):
            raise BadParameter("give horizon and switches together")
        self.rate, self.share = positive("rate", rate), within("share", share, 0.0, 1.0)
        self.horizon = None if horizon is None else positive("horizon", horizon)
        self.switches = None if switches is None else positive("switches", switches)
        self._rate, self._share = self.rate, self.share
        if self.horizon is not None and self.switches is not None:
            if self.horizon <= 1.0:
                raise BadParameter(f"horizon is {self.horizon:g}; with switches it must be above 1")
            self._share = within("switches/(horizon − 1)", self.switches / (self.horizon - 1.0), 0.0, 1.0)
            price = _price(n, self.horizon, self.switches, self._share)
            self._rate = math.sqrt(8.0 * max(price, 1e-9) / self.horizon)
        super().__init__(n, loss, gradient, rate=self._rate, share=self._share)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound against sequences of experts."""
        return (HerbsterWarmuth(self._rate, self._share),)


class HerbsterWarmuth:
    """Against any sequence of experts with m switches.

    Certified with the m for which the promised loss, that of the best such sequence and the bound, is least.
    The best sequence with at most m switches may have fewer; with a share above (N−1)/N those are dearer, so
    that the bound is that of the dearest number of switches up to m.
    """

    name = "Herbster–Warmuth"
    statement = (
        "for losses in [0,1] and any sequence of experts with m switches: Σp·ℓ − L_m ≤ "
        "(ln N + m·ln((N−1)/α) + (T−m−1)·ln(1/(1−α)))/η + Tη/8"
    )
    source = "Herbster & Warmuth 1998, Tracking the best expert; Cesa-Bianchi & Lugosi 2006, ch. 5"
    about = "regret"
    comparator = "sequences"

    def __init__(self, rate: float, share: float) -> None:
        """Take the rate and the share in use."""
        self.rate, self.share = rate, share

    def certify(self, replay: Account, witness: Floats | None = None) -> Certificate:
        """Hold it against a run; the witness is the least loss of a sequence with 0, 1, 2, … switches."""
        least = [replay.best_loss] if witness is None else [float(x) for x in witness]
        promised = [
            (lost + self._bound(replay, m), m) for m, lost in enumerate(least) if m < max(replay.rounds, 1)
        ]
        m = min(promised)[1]
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        chosen = {"m": float(m), "eta": self.rate, "alpha": self.share, "L_m": least[m]}
        return replay.conclude(self, replay.loss - least[m], self._bound(replay, m), hypotheses, **chosen)

    def _bound(self, replay: Account, m: int) -> float:
        dearest = max(_price(replay.n, replay.rounds, k, self.share) for k in (0, m))  # it is linear between
        return dearest / self.rate + replay.rounds * self.rate / 8.0


def _price(n: int, rounds: float, switches: float, share: float) -> float:
    """ln(1/prior) of a sequence: ln N + m·ln((N−1)/α) + (T−m−1)·ln(1/(1−α))."""
    if n == 1:
        return 0.0
    stay = max(rounds - switches - 1.0, 0.0) * -math.log1p(-share)
    return math.log(n) + switches * math.log((n - 1.0) / share) + stay
