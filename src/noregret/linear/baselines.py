"""What a learner has to beat: the label most often seen, and the last one."""

from __future__ import annotations

from typing import ClassVar

from noregret.linear.learner import LinearLearner


class Majority(LinearLearner):
    """Predicts the label seen most often so far, counting importance; +1 before the first.

    >>> learner = Majority()
    >>> learner.learn({}, -1), learner.predict({})
    (True, -1.0)
    """

    name: ClassVar[str] = "majority"
    summary: ClassVar[str] = "baseline: the label seen most often so far"
    loss_name: str = "zero-one"

    def __init__(self) -> None:
        """Start undecided, which says +1."""
        super().__init__()


class LastLabel(LinearLearner):
    """Predicts the label of the round before; +1 in the first.

    >>> learner = LastLabel()
    >>> learner.learn({}, -1), learner.predict({})
    (True, -1.0)
    """

    name: ClassVar[str] = "last-label"
    summary: ClassVar[str] = "baseline: the label of the round before"
    loss_name: str = "zero-one"

    def __init__(self) -> None:
        """Start with +1."""
        super().__init__()
