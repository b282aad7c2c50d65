"""The voted Perceptron: one learns, and all that it ever was vote.

Freund & Schapire 1999, Large margin classification using the perceptron algorithm, §2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.judged import Judged, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import BIAS, LinearLearner
from noregret.linear.margin_theorems import Updates, UpdatesByHinges
from noregret.linear.perceptron_theorems import some_direction
from noregret.parameters import Parameter, flag, whole
from noregret.rounding import float_below


class VotedPerceptron(LinearLearner):
    """Predicts by the vote Σ c·sign⟨w, x⟩ over every w the Perceptron was, for c labelled rounds each.

    The Perceptron inside learns from its own mistakes, whatever the vote says: `updates` counts them, and
    they are at most ((R‖u‖ + D)/γ)². `mistakes` are those of the vote, whose count nothing bounds; but in a
    random order (`--shuffle`) the chance that the vote of T − 1 rounds errs on the one left out is at most
    2/(T − 1) times the expected updates. The score is the mean vote, between −1 and 1; `weights` are those
    of the last w. The importance of a round multiplies its step.

    It keeps the examples that taught it, and a prediction goes over all of them. Beyond `budget` the
    oldest w gives up its votes and its example is let go: the Perceptron inside, and every later w, are
    what they would have been without a budget. A budget of 0 is none.

    >>> learner = VotedPerceptron()
    >>> learner.learn({"a": 1}, -1), learner.learn({"a": -1}, 1), learner.learn({"a": -4}, -1)
    (True, False, True)
    >>> learner.score({"a": 1}), learner.weights  # two rounds of −1 against one of +3
    (-0.3333333333333333, {'a': 3.0})
    """

    name: ClassVar[str] = "voted-perceptron"
    summary: ClassVar[str] = "every w that the Perceptron was has a vote for each round it lived"
    loss_name: str = "perceptron"
    keeps_examples: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("budget", 1000.0, "how many mistakes are kept; 0: all"),
        BIAS,
    )

    def __init__(self, budget: float = 1000.0, bias: bool = False) -> None:
        """Start with nothing kept."""
        self.budget = float(whole("budget", budget, 0))
        self.bias = flag("bias", bias)
        super().__init__(budget=self.budget, bias=self.bias)

    def theorems(self) -> tuple[Theorem, ...]:
        """Two bounds on the updates of the Perceptron inside; what follows for a round that is left out."""
        return (Updates(), UpdatesByHinges(), LeaveOneOut())


class LeaveOneOut(RunTheorem):
    """In a random order: the vote of T − 1 rounds errs on the other with a chance ≤ 2/(T − 1)·(E[U] − n₋/T).

    The vote errs only where half of the T − 1 voters err. In a random order voter k, which is what w was
    after k rounds, errs on the last round as likely as on round k + 1; added up over k that is the updates U
    but for the first round, on which w = 0 errs if its label is −1: one of n₋ among T. No order has more
    than ((R‖u‖ + D)/γ)² updates. What is observed is the same with the updates of the order played.
    """

    name = "Freund–Schapire (leave one out)"
    statement = (
        "if the order of T rounds is random, n₋ of them labelled −1, then for any u and γ > 0, with D² = "
        "Σ max(0, γ − y⟨u,x⟩)² and ‖x‖ ≤ R: the chance that the vote of all but one errs on that one is "
        "at most 2/(T−1)·(E[updates] − n₋/T) ≤ 2/(T−1)·(((R‖u‖ + D)/γ)² − n₋/T)"
    )
    source = (
        "after Freund & Schapire 1999, Large margin classification using the perceptron algorithm, §3, and "
        "Helmbold & Warmuth 1995, On weak learning; with the votes as they are counted here"
    )
    about = "chance of a mistake"
    views: ClassVar[tuple[str, ...]] = ("all", "negatives")

    def trivial(self, run: Judged) -> float:
        """A chance of 1."""
        return 1.0

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        updates, rounds = run.ledger.updates, run.rounds
        negative = Fraction(run.norms("negatives").rounds, max(rounds, 1))
        factor = Fraction(2, max(rounds - 1, 1))
        observed = min(1.0, float_below(factor * (updates - negative)))
        kept = int(run.scalars["supports"])
        nature = run.ledger.nature
        again = getattr(nature, "passes", 1) > 1
        hypotheses = [
            *prompt_run(run),
            some_direction(run, witness, updates),
            Hypothesis(
                "the order of the rounds was drawn at random",
                bool(getattr(nature, "drawn", False)),
                "rounds come again: play one pass"
                if again
                else "it is that of the data: play it with --shuffle SEED, or nr.shuffled",
            ),
            Hypothesis("every w has its votes", kept == updates, f"the budget kept {kept:,} of {updates:,}"),
            Hypothesis("there are two rounds or more", rounds > 1, f"there is {rounds}"),
        ]
        if not all(h.met for h in hypotheses):
            return conclude(self, observed, None, hypotheses)
        value, quantities = Updates().most(run, witness)
        bound = factor * (Fraction(value) - negative)
        return conclude(self, observed, bound, hypotheses, quantities | {"T": float(rounds)})
