"""Plain-Python twins of the learners: slow, obvious, and the judge of the fast ones.

They need nothing but the standard library and import nothing of ours, so that a mistake cannot
hide in both. An example is a list of (feature, value) pairs in the order given; a feature that
stands in it twice adds up. Fed the same rounds, twin and learner agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable

from .baselines import LastLabel, Majority
from .exponential import BalancedWinnow, NormalizedWinnow
from .linear import Linear
from .perceptron import Perceptron
from .winnow import Winnow

TWINS: dict[str, Callable[..., Linear]] = {
    "perceptron": Perceptron,
    "winnow": Winnow,
    "normalized-winnow": NormalizedWinnow,
    "balanced-winnow": BalancedWinnow,
    "majority": Majority,
    "last-label": LastLabel,
}

__all__ = ["TWINS"]
