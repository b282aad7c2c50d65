"""What is proved about learners with a rate, or a bet, for every feature.

As for gradient descent the bounds are on the learner's own loss, hold for any u, and are computed
from the rounds and from the scores of the learner.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from noregret import _core
from noregret.certificate import Certificate, Hypothesis, shown
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.losses import slopes
from noregret.linear.losses_of_witness import loss_bound, nothing
from noregret.rounds import Floats

_DUCHI = "Duchi, Hazan & Singer 2011, Adaptive subgradient methods, Thm 5, feature by feature"


class _Gradients(Meter):
    """Sums over the gradients of every feature, in the core."""

    rule = "plain"
    names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        numbers = [float(run.parameters[name]) for name in self.names]
        self.sums = _core.GradientSums(self.rule, numbers)

    def add(self, block: Block) -> None:
        """Add the gradient of every round."""
        slope = slopes(str(self.run.parameters["loss"]), block.scores, block.labels)
        self.sums.add(block.cells, block.labels * slope, block.columns, self.run.bias)

    def column(self, name: str, width: int) -> Floats:
        """One sum by column of the run, the bias last where it has one."""
        found = self.sums.column(name)
        padded = np.zeros(width)
        features = width - self.run.bias
        padded[: len(found) - 1] = found[:-1][:features]
        if self.run.bias:
            padded[-1] = found[-1]
        return padded


class PlainGradients(_Gradients):
    """Σg² and Σ|g| of every feature."""


class DescentGradients(_Gradients):
    """The same, and the least and the largest weight of AdaGrad by descent."""

    rule = "descent"
    names: ClassVar[tuple[str, ...]] = ("rate", "delta")


class ProximalGradients(_Gradients):
    """The sums that FTRL-proximal needs."""

    rule = "proximal"
    names: ClassVar[tuple[str, ...]] = ("alpha", "beta", "l1", "l2")


class DuchiDescent(RunTheorem):
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + Σ(D²/(2η)·(δ + √G) + η√G), the last sum over the features."""

    name = "Duchi (descent)"
    statement = (
        "for any u, with G = Σg² and D ≥ |w − u| in every round, feature by feature: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(D²/(2η)·(δ + √G) + η√G)"
    )
    source = _DUCHI
    about = "loss"
    meters: ClassVar[tuple[type[Meter], ...]] = (DescentGradients,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        rate, delta = float(run.parameters["rate"]), float(run.parameters["delta"])
        sums, u = run.meter(DescentGradients), witness.u
        roots, low, high = (sums.column(name, len(u)) for name in ("squares", "low", "high"))
        roots = np.sqrt(roots)

        def price(length: float) -> float:
            apart = np.maximum(high - length * u, length * u - low)
            return float(np.sum(apart**2 / (2.0 * rate) * (delta + roots) + rate * roots))

        return loss_bound(self, run, witness, price, [])


class DuchiAveraging(RunTheorem):
    """If no |g| passes δ, any u: Σℓ(w) ≤ Σℓ(u) + Σ(u²/(2η)·(δ + √G) + η√G), feature by feature."""

    name = "Duchi (averaging)"
    statement = (
        "for any u, if |g| ≤ δ always, with G = Σg², feature by feature: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(u²/(2η)·(δ + √G) + η√G)"
    )
    source = _DUCHI
    about = "loss"
    meters: ClassVar[tuple[type[Meter], ...]] = (PlainGradients,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        rate, delta = float(run.parameters["rate"]), float(run.parameters["delta"])
        sums, u = run.meter(PlainGradients), witness.u
        roots = np.sqrt(sums.column("squares", len(u)))
        largest = sums.sums.largest

        def price(length: float) -> float:
            return float(np.sum((length * u) ** 2 / (2.0 * rate) * (delta + roots) + rate * roots))

        small = Hypothesis("no |g| passes δ", largest <= delta, f"the largest is {shown(largest)}")
        return loss_bound(self, run, witness, price, [small])


class McMahan(RunTheorem):
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + Σ(ψ(u) + Σσ(u − w)²/2 + Σg²/(2h)), feature by feature.

    The weight of a feature is where Σgw + ψ(w) + Σσ(w − w_t)²/2 is least, ψ(w) = λ₁|w| + (λ₂ + β/α)w²/2. A
    learner that knew each gradient one round before, and followed this leader, would lose at most ψ(u) +
    Σσ(u − w_t)²/2 more than u. The gradient of round t moves the leader from w_t, where the sum without it
    is least, also with the round's own σ; that sum bends by h = λ₂ + (β + √n)/α at least, and so to know the
    gradient is worth g²/(2h) at most.
    """

    name = "McMahan"
    statement = (
        "for any u, feature by feature, with n = Σg² up to each round, σ what it adds to √n/α and "
        "h = λ₂ + (β + √n)/α: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(λ₁|u| + (λ₂ + β/α)u²/2 + Σσ(u − w)²/2 + Σg²/(2h))"
    )
    source = (
        "McMahan 2017, A survey of algorithms and analysis for adaptive online learning: "
        "FTRL-proximal, feature by feature"
    )
    about = "loss"
    meters: ClassVar[tuple[type[Meter], ...]] = (ProximalGradients,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        alpha, beta, l1, l2 = (float(run.parameters[name]) for name in ("alpha", "beta", "l1", "l2"))
        sums, u = run.meter(ProximalGradients), witness.u
        squares, first, second, ahead = (
            sums.column(name, len(u)) for name in ("squares", "first", "second", "ahead")
        )
        sigmas = np.sqrt(squares) / alpha

        def price(length: float) -> float:
            v = length * u
            start = l1 * np.abs(v) + (l2 + beta / alpha) * v**2 / 2.0
            apart = np.maximum(sigmas * v**2 - 2.0 * first * v + second, 0.0)
            return float(np.sum(start + apart / 2.0 + ahead))

        return loss_bound(self, run, witness, price, [])


class OrabonaPal(RunTheorem):
    """If no |g| passes 1, any u: Σℓ(w) ≤ Σℓ(u) + Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²))), S = Σ|g|.

    Let θ = Σc, a = 1 + S, z = θ/a, so that |z| < 1. The wealth of a feature is at least ε·exp(θ²/(4a))/a:
    a pull c multiplies it by 1 + zc/2, and ln(1 + zc/2) ≥ zc/2 − z²c²/4; the logarithm of the claim grows
    by (2zca + c² − z²a|c|)/(4(a + |c|)) − ln(1 + |c|/a). The first is not less than the second, because
    ln(1 + |c|/a) ≥ |c|/(a + |c|), and 4 − |c| − 2|zc| − z²c² ≥ 0. So the losses on the linear parts are at
    most ε + max over θ of uθ − ε·exp(θ²/(4a))/a, which is the bound (Orabona & Pál 2016, Lemma 18).
    """

    name = "Orabona–Pál"
    statement = (
        "for any u, if |g| ≤ 1 always, with S = Σ|g|, feature by feature (those with S > 0): "
        "Σℓ(w) ≤ Σℓ(u) + Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²)))"
    )
    source = (
        "after Orabona & Pál 2016, Coin betting and parameter-free online learning (for this bet, re-derived)"
    )
    about = "loss"
    meters: ClassVar[tuple[type[Meter], ...]] = (PlainGradients,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        wealth, u = float(run.parameters["wealth"]), witness.u
        sums = run.meter(PlainGradients)
        sizes, largest = sums.column("sizes", len(u)), sums.sums.largest
        played, room = sizes > 0, 1.0 + sizes

        def price(length: float) -> float:
            v = length * u
            bets = np.abs(v) * np.sqrt(2.0 * room * np.log1p(2.0 * room * (room * v / wealth) ** 2))
            return float(np.sum((wealth + bets)[played]))

        small = Hypothesis("no |g| passes 1", largest <= 1.0, f"the largest is {shown(largest)}")
        return loss_bound(self, run, witness, price, [small])
