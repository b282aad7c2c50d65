"""The twins of confidence-weighted learning: CW, SCW-I, SCW-II."""

from __future__ import annotations

from statistics import NormalDist

from .linear import checked
from .second_order import SecondOrder, quotient, root


class CW(SecondOrder):
    """The smallest change after which y⟨w,x⟩ ≥ φ√v.

    >>> twin = CW(confidence=0.9)
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.predict([("money", 1.0)])
    (True, -1.0)
    """

    doubles = True

    def __init__(
        self, confidence: float = 0.7, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """φ is the quantile of the normal distribution at `confidence`."""
        super().__init__(covariance, bias, scale)
        if not 0.5 < confidence < 1.0:
            raise ValueError(f"confidence is {confidence}; it must be a finite number between 0.5 and 1")
        self.confidence = confidence
        self.phi = NormalDist().inv_cdf(confidence)

    def moves(self, y: float, score: float) -> bool:
        """It depends on v."""
        return True

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Nothing when the chance is large enough."""
        if measured == 0.0 or self.phi * root(measured) - y * score <= 0.0:
            return 0.0, 0.0
        return self.both(y, self.alpha(y * score, measured, weight), measured)

    def alpha(self, margin: float, v: float, weight: float) -> float:
        """The step that makes the margin φ√v."""
        square = self.phi * self.phi
        xi = 1.0 + square
        inside = margin * margin * square * square / 4.0 + v * square * xi
        return positive(quotient(root(inside) - margin * (1.0 + square / 2.0), v * xi))

    def both(self, y: float, alpha: float, v: float) -> tuple[float, float]:
        """The step, and how much Σ⁻¹ grows with it."""
        reach = alpha * v * self.phi
        growth = alpha * self.phi * (reach + root(reach * reach + 4.0 * v))
        return alpha * y, quotient(growth, 2.0 * v)


class SCW1(CW):
    """CW with a step of at most C.

    >>> SCW1(confidence=0.9, C=0.5).learn([("free", 1.0)], -1)
    True
    """

    def __init__(
        self,
        confidence: float = 0.75,
        C: float = 1.0,
        covariance: str = "diagonal",
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """`C` is C."""
        super().__init__(confidence, covariance, bias, scale)
        self.C = checked("C", C, 0.0)

    def alpha(self, margin: float, v: float, weight: float) -> float:
        """CW's, or C."""
        found, most = super().alpha(margin, v, weight), self.C * weight
        return found if found < most else most


class SCW2(SCW1):
    """CW with a price of C on the square of what is missing.

    >>> SCW2(confidence=0.9, C=0.5).learn([("free", 1.0)], -1)
    True
    """

    def alpha(self, margin: float, v: float, weight: float) -> float:
        """A root of the quadratic of Wang, Zhao & Hoi 2012, Prop. 2."""
        square = self.phi * self.phi
        n = v + quotient(1.0, 2.0 * self.C * weight)
        q = quotient(v, n)
        grown = 1.0 + q * square
        top = self.phi * root(square * margin * margin * q * q + 4.0 * v * grown) - margin * (1.0 + grown)
        return positive(quotient(top, 2.0 * n * grown))


def positive(number: float) -> float:
    """The number if it is above 0, else 0."""
    return number if number > 0.0 else 0.0
