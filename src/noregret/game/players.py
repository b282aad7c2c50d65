"""What a game asks of who plays it, said before the first round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noregret import _core
from noregret.errors import BadType
from noregret.parameters import count
from noregret.rounds import Nature, is_stream


def require_players(nature: Any, learners: Sequence[Any], rounds: int | None) -> None:
    """Refuse what is no nature, what is no learner, and a number of rounds that is none."""
    if not is_stream(nature) and not isinstance(nature, Nature):
        raise BadType(f"a {type(nature).__name__} is not a stream of rounds; {_streams(nature)}")
    if isinstance(learners, str) or not isinstance(learners, Sequence):
        raise BadType(f"play_all takes a list of learners, not a {type(learners).__name__}")
    for learner in learners:
        require_learner(learner)
    if rounds is not None:
        count("rounds", rounds)


def require_learner(learner: Any) -> None:
    """Refuse what is no learner over examples."""
    if isinstance(learner, str):
        raise BadType(f"'{learner}' is a string; nr.learner({learner!r}) makes a learner of a spec")
    if isinstance(learner, type):
        raise BadType(f"{learner.__name__} is a class; a learner is made of it, as by {learner.__name__}()")
    if isinstance(learner, _core.Experts):
        raise BadType(
            f"{type(learner).__name__} is a rule over experts and learns from advice, not from examples: its "
            "own play(advice, truth) plays forecasts, and nr.Panel(learners, rule=…) puts it over learners"
        )
    if not all(hasattr(learner, one) for one in ("spec", "predict", "learn")):
        raise BadType(f"a {type(learner).__name__} is not a learner; one has spec, predict and learn")


def _streams(given: Any) -> str:
    """What makes a stream of such a thing."""
    if isinstance(given, str) or hasattr(given, "__fspath__"):
        return "nr.read makes one of a file"
    if hasattr(given, "__arrow_c_stream__"):
        return "nr.from_table makes one of a table"
    if hasattr(given, "shape") or (isinstance(given, tuple) and any(hasattr(one, "shape") for one in given)):
        return "nr.from_arrays(X, y) makes one of a matrix and its labels"
    return "nr.from_rounds makes one of pairs (x, y), nr.from_arrays of a matrix, nr.read of a file"
