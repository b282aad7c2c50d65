"""The kernel Perceptron.

Aizerman, Braverman & Rozonoer 1964; budgets: Dekel, Shalev-Shwartz & Singer 2008, The Forgetron.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.linear.kernel_theorems import KernelFreundSchapire, KernelHinges, KernelNovikoff
from noregret.linear.learner import LinearLearner
from noregret.parameters import Parameter, not_negative, one_of, positive, whole

KERNELS = ("linear", "polynomial", "gaussian")


class KernelPerceptron(LinearLearner):
    """The Perceptron over the features of a kernel: the score is Σ c·K(z, x) over the mistakes z it keeps.

    Kernels: linear ⟨x,z⟩, polynomial (⟨x,z⟩ + offset)^degree, gaussian exp(−gamma·‖x − z‖²). When a
    mistake more than `budget` would be kept, the oldest goes: memory and time stay bounded, and the
    theorem speaks only of runs in which that did not happen. A budget of 0 is none. It has no
    weights by feature.

    >>> learner = KernelPerceptron(kernel="polynomial")
    >>> for x, y in [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)] * 10:
    ...     _ = learner.learn({"a": x[0], "b": x[1]}, y)
    >>> [learner.predict({"a": a, "b": b}) for a in (0, 1) for b in (0, 1)]
    [-1.0, 1.0, 1.0, -1.0]
    """

    name: ClassVar[str] = "kernel-perceptron"
    summary: ClassVar[str] = "the Perceptron over a kernel; beyond a budget the oldest mistake goes"
    loss_name: str = "perceptron"
    keeps_examples: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("kernel", "gaussian", "linear, polynomial or gaussian"),
        Parameter("gamma", 1.0, "gaussian: exp(−gamma·‖x − z‖²)"),
        Parameter("degree", 2.0, "polynomial: the power, a whole number"),
        Parameter("offset", 1.0, "polynomial: added to ⟨x,z⟩, 0 or more"),
        Parameter("budget", 1000.0, "how many mistakes are kept; 0: all"),
    )

    def __init__(
        self,
        kernel: str = "gaussian",
        gamma: float = 1.0,
        degree: float = 2.0,
        offset: float = 1.0,
        budget: float = 1000.0,
    ) -> None:
        """Start with nothing kept."""
        self.kernel = one_of("kernel", kernel, KERNELS)
        self.gamma = positive("gamma", gamma)
        self.degree = float(whole("degree", degree, 1))
        if self.degree > 100:
            raise BadParameter(f"degree is {degree}; it must be at most 100")
        self.offset = not_negative("offset", offset)
        self.budget = float(whole("budget", budget, 0))
        super().__init__(
            kernel=float(KERNELS.index(kernel)),
            gamma=self.gamma,
            degree=self.degree,
            offset=self.offset,
            budget=self.budget,
        )

    def theorems(self) -> tuple[Theorem, ...]:
        """The Perceptron's, in the space of the kernel."""
        return (KernelNovikoff(), KernelFreundSchapire(), KernelHinges())

    def __repr__(self) -> str:
        """Spec and size."""
        return f"<{self.spec}: {int(self.scalars['supports']):,} examples>"
