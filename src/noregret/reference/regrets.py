"""The twins of the expert rules that look at regrets, and of those that look at advice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .experts import Experts, Row


class Squint(Experts):
    """p_i ∝ Σ γ·η·exp(η·R_i − η²·V_i) over η = 2⁻ᵏ, k = 1 … 20, γ = 1/(k(k+1))."""

    def __init__(self, n: int) -> None:
        """No regret yet."""
        super().__init__(n)
        self.regret, self.square = [0.0] * n, [0.0] * n

    def raw(self) -> list[float]:
        """The logarithm of the sum."""
        found = []
        for r, v in zip(self.regret, self.square, strict=True):
            terms = [math.log(2.0**-k / (k * (k + 1))) + 2.0**-k * r - 4.0**-k * v for k in range(1, 21)]
            found.append(max(terms) + math.log(sum(math.exp(t - max(terms)) for t in terms)))
        return found

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Add up regrets and their squares."""
        for i, loss in enumerate(charged):
            self.regret[i] += own - loss
            self.square[i] += (own - loss) ** 2


class MLProd(Experts):
    """w ← (w·(1 + η·r))^(η'/η), p ∝ η·w, η = min(½, √(ln N/(1 + Σr²)))."""

    def __init__(self, n: int) -> None:
        """Everybody weighs 1/n."""
        super().__init__(n)
        self.log_weight, self.square = [-math.log(n)] * n, [0.0] * n

    def rate(self, i: int) -> float:
        """The rate of one expert."""
        return min(0.5, math.sqrt(math.log(max(self.n, 2)) / (1.0 + self.square[i])))

    def raw(self) -> list[float]:
        """The logarithm of η·w."""
        return [math.log(self.rate(i)) + self.log_weight[i] for i in range(self.n)]

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Those awake move."""
        for i, loss in enumerate(row):
            if loss is None:
                continue
            before, r = self.rate(i), own - loss
            self.square[i] += r * r
            grown = self.log_weight[i] + math.log1p(max(before * r, -1.0 + 1e-12))
            self.log_weight[i] = grown * (self.rate(i) / before)


class BOA(Experts):
    """B ← max(B, |r|), B₂ = 2^⌈log₂ B⌉, V += r², η = min(1/B₂, √(ln N/V)), R += ½(r − ηr² + B₂·1[ηr > ½])."""

    def __init__(self, n: int) -> None:
        """η, V and B start at 2⁻²⁰."""
        super().__init__(n)
        self.rate, self.square, self.bound = [2.0**-20] * n, [2.0**-20] * n, [2.0**-20] * n
        self.regret = [0.0] * n

    def raw(self) -> list[float]:
        """The logarithm of η·exp(η·R)."""
        return [math.log(eta) + eta * r for eta, r in zip(self.rate, self.regret, strict=True)]

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Those awake move."""
        for i, loss in enumerate(row):
            if loss is None:
                continue
            r = own - loss
            self.bound[i] = max(self.bound[i], abs(r))
            b2 = 2.0 ** math.ceil(math.log2(self.bound[i]))
            self.square[i] += r * r
            eta = self.rate[i] = min(1.0 / b2, math.sqrt(math.log(max(self.n, 2)) / self.square[i]))
            self.regret[i] += 0.5 * (r - (eta * r * r - (b2 if eta * r > 0.5 else 0.0)))


class MLPol(Experts):
    """p ∝ η·max(R, 0), η = 1/(B + Σr²), B the largest r² so far; alike where no regret is above 0."""

    logarithms = False

    def __init__(self, n: int) -> None:
        """No regret yet."""
        super().__init__(n)
        self.regret, self.square, self.bound = [0.0] * n, [0.0] * n, 0.0

    def raw(self) -> list[float]:
        """η·max(R, 0)."""
        return [
            r / (self.bound + s) if r > 0.0 and self.bound + s > 1e-200 else 0.0
            for r, s in zip(self.regret, self.square, strict=True)
        ]

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Add up regrets and their squares."""
        for loss in row:
            if loss is not None:
                self.bound = max(self.bound, (own - loss) * (own - loss))
        for i, loss in enumerate(row):
            r = 0.0 if loss is None else own - loss
            self.regret[i] += r
            self.square[i] += r * r


class WeightedMajority:
    """The vote by weight; on its own mistakes, experts that erred × β. A tie says 1.

    >>> twin = WeightedMajority(2)
    >>> twin.learn([0.0, 1.0], 0.0), twin.counts
    (True, [0, 1])
    """

    def __init__(self, n: int, beta: float = 0.5) -> None:
        """Nobody has erred."""
        self.beta, self.counts = beta, [0] * n
        self.mistakes = 0

    def predict(self, said: Sequence[float | None]) -> float:
        """Vote."""
        least = min(count for count, label in zip(self.counts, said, strict=True) if label is not None)
        votes: dict[float, float] = {}
        for count, label in zip(self.counts, said, strict=True):
            if label is not None:
                votes[label] = votes.get(label, 0.0) + self.beta ** (count - least)
        most = max(votes.values())
        tied = [label for label, weight in votes.items() if weight == most]
        return 1.0 if 1.0 in tied else min(tied)

    def learn(self, said: Sequence[float | None], truth: float) -> bool:
        """Cut the weights of those that erred, if the vote did; True when it did."""
        if self.predict(said) == truth:
            return False
        self.mistakes += 1
        self.counts = [
            count + (label is not None and label != truth)
            for count, label in zip(self.counts, said, strict=True)
        ]
        return True


class ExpertRidge:
    """Says x̄ + ⟨v,x⟩, v the ridge regression of y − x̄ on x, this round's x counted with a target of 0.

    By elimination on the normal equations: slow and obvious, and good to about nine digits.
    """

    def __init__(self, n: int, penalty: float = 1.0) -> None:
        """λ."""
        self.n = n
        self.matrix = [[penalty if i == j else 0.0 for j in range(n)] for i in range(n)]
        self.target = [0.0] * n

    def predict(self, said: Sequence[float]) -> float:
        """Solve, and apply."""
        rows = [
            [self.matrix[i][j] + said[i] * said[j] for j in range(self.n)] + [self.target[i]]
            for i in range(self.n)
        ]
        for i in range(self.n):
            pivot = max(range(i, self.n), key=lambda k: abs(rows[k][i]))
            rows[i], rows[pivot] = rows[pivot], rows[i]
            for k in range(self.n):
                if k != i:
                    factor = rows[k][i] / rows[i][i]
                    rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
        v = [rows[i][self.n] / rows[i][i] for i in range(self.n)]
        return sum(said) / self.n + sum(a * b for a, b in zip(v, said, strict=True))

    def learn(self, said: Sequence[float], truth: float) -> None:
        """Add the round to the normal equations."""
        beyond = truth - sum(said) / self.n
        for i in range(self.n):
            self.target[i] += beyond * said[i]
            for j in range(self.n):
                self.matrix[i][j] += said[i] * said[j]
