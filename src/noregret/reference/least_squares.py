"""The twins of SOP, AROW, NHERD and the online Newton step."""

from __future__ import annotations

from .linear import checked
from .second_order import SecondOrder, quotient


class SOP(SecondOrder):
    """On a mistake: w = (a·I + Σxxᵀ)⁻¹·Σyx over the mistakes.

    >>> twin = SOP(covariance="full")
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.predict([("money", 1.0)])
    (True, -1.0)
    """

    def __init__(
        self, ridge: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """The larger `ridge`, which is a, the longer like a Perceptron."""
        self.ridge = checked("ridge", ridge, 0.0)
        super().__init__(covariance, bias, scale, variance=1.0 / self.ridge)

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def moves(self, y: float, score: float) -> bool:
        """Only a mistake teaches."""
        return self.decide(score) != y

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Least squares, the round counting `weight` times."""
        return weight * (y - score) / (1.0 + weight * measured), weight


class AROW(SecondOrder):
    """When y⟨w,x⟩ < 1: w = (r·I + Σxxᵀ)⁻¹·Σyx over such rounds.

    >>> twin = AROW()
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.predict([("money", 1.0)])
    (True, -1.0)
    """

    def __init__(
        self, ridge: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """`ridge` is r."""
        self.ridge = checked("ridge", ridge, 0.0)
        super().__init__(covariance, bias, scale)

    def loss_of(self, score: float, y: float) -> float:
        """The hinge."""
        return max(0.0, 1.0 - y * score)

    def moves(self, y: float, score: float) -> bool:
        """A margin below 1 teaches."""
        return y * score < 1.0

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Least squares, the round counting `weight` times."""
        return weight * (y - score) / (self.ridge + weight * measured), weight / self.ridge


class NHERD(AROW):
    """As AROW steps with 1/C for r; Σ⁻¹ ← Σ⁻¹ + (2C + C²v)·xxᵀ.

    >>> NHERD(C=2.0).learn([("free", 1.0)], -1)
    True
    """

    def __init__(
        self, C: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """`C` is C."""
        super().__init__(1.0, covariance, bias, scale)
        self.C = checked("C", C, 0.0)

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Step as least squares, shrink faster."""
        c = self.C * weight
        return c * (y - score) / (1.0 + c * measured), c * (2.0 + c * measured)


class OnlineNewton(SecondOrder):
    """A ← A + σ·ggᵀ, w ← w − A⁻¹g, g of the squared hinge at ⟨w,x⟩ kept within ±C.

    >>> OnlineNewton().learn([("free", 1.0)], -1)
    True
    """

    def __init__(
        self,
        ridge: float = 1.0,
        limit: float = 1.0,
        covariance: str = "diagonal",
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """A starts as ridge·I; `limit` is C."""
        self.ridge = checked("ridge", ridge, 0.0)
        self.limit = checked("limit", limit, 0.0)
        super().__init__(covariance, bias, scale, variance=1.0 / self.ridge)

    def kept(self, score: float) -> float:
        """The score within ±C."""
        return min(max(score, -self.limit), self.limit)

    def loss_of(self, score: float, y: float) -> float:
        """The squared hinge of the score that is kept."""
        return max(0.0, 1.0 - y * self.kept(score)) * max(0.0, 1.0 - y * self.kept(score))

    def moves(self, y: float, score: float) -> bool:
        """Any loss teaches."""
        return y * self.kept(score) < 1.0

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """First to where the score is within ±C, then the Newton step."""
        curvature = 1.0 / (2.0 * (1.0 + self.limit) * max(1.0 + self.limit, 2.0 * self.limit))
        z = self.kept(score)
        slope = -2.0 * y * (1.0 - y * z)
        growth = curvature * weight * slope * slope
        back = 0.0 if score == z or measured == 0.0 else quotient(score - z, measured)
        return -back - weight * slope / (1.0 + growth * measured), growth
