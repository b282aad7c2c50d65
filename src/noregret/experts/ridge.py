"""Linear aggregation: weights of any sign and sum, by ridge regression on the advice.

Vovk 2001; Azoury & Warmuth 2001.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem
from noregret.experts.accepted import N
from noregret.experts.account import Account, nobody_joined, prompt
from noregret.experts.rule import ExpertRule
from noregret.parameters import Parameter, positive
from noregret.rounding import ROUNDING


class ExpertRidge(ExpertRule):
    """Says x̄ + ⟨v, x⟩, x̄ the mean of the advice; square loss only.

    v minimises λ‖v‖² + Σ(x̄ + ⟨v,x⟩ − y)² + ⟨v,x_t⟩². The weights 1/N + v need not be positive, nor add up
    to 1; the first prediction is the mean. An expert that sleeps is taken to say what the others say on
    average.
    """

    name: ClassVar[str] = "expert-ridge"
    summary: ClassVar[str] = "linear aggregation: ridge regression on the advice, weights of any sign"
    only_loss: ClassVar[str | None] = "square"
    accepts: ClassVar[tuple[Parameter, ...]] = (N, Parameter("penalty", 1.0, "λ"))

    def __init__(self, n: int, penalty: float = 1.0) -> None:
        """Start with equal weights."""
        self.penalty = positive("penalty", penalty)
        super().__init__(n, penalty=self.penalty)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound against every linear combination."""
        return (VovkAzouryWarmuth(),)


class VovkAzouryWarmuth:
    """Σ(ŷ−y)² ≤ min_v (λ‖v‖² + Σ(x̄+⟨v,x⟩−y)²) + Y²·Σxᵀ A⁻¹ x.

    A = λI + Σxxᵀ up to the round, this one included; |y − x̄| ≤ Y.
    """

    name = "Vovk–Azoury–Warmuth"
    statement = "for any advice and |y − x̄| ≤ Y: Σ(ŷ−y)² ≤ min_v (λ‖v‖² + Σ(x̄ + ⟨v,x⟩ − y)²) + Y²·Σ xᵀA⁻¹x"
    source = "Vovk 2001; Azoury & Warmuth 2001; after the proof of Thm 11.8 in Cesa-Bianchi & Lugosi 2006"
    about = "loss"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is the square loss."""
        least, reach = replay.scalars["least"], replay.scalars["reach"]
        size = float(np.sum(replay.lanes["triangle"] ** 2))  # nλ + Σ‖x‖²: what predictions can be off by
        bound = least + reach**2 * replay.scalars["leverage"]
        rounding = ROUNDING * bound + replay.rounding + 1e-21 * replay.n**2 * size
        hypotheses = [prompt(replay), nobody_joined(replay)]
        return replay.conclude(self, replay.loss, bound, hypotheses, rounding, least=least, Y=reach)
