"""What a panel asks of its members, of its rule and of a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadLabel, BadParameter, BadType
from noregret.examples import number_or_nan
from noregret.experts.rule import ExpertRule
from noregret.rounds import Floats, Learner

HEAVIEST = 1e100  # an importance beyond this is more than a rule over experts adds up


def require_members(members: Sequence[Any]) -> None:
    """Refuse nobody, somebody twice, what is no learner, panels, and learners for another task."""
    if not members:
        raise BadParameter("a panel needs members; give at least one spec or learner")
    for member in members:
        if isinstance(member, ExpertRule):
            raise BadType(
                f"{member.spec} is a rule over experts, and the members of a panel learn from examples; the "
                f"panel's own rule is given beside them: nr.Panel(members, rule='{member.name}')"
            )
        if not isinstance(member, Learner) or hasattr(member, "standings"):  # a panel itself
            raise BadType(f"a {type(member).__name__} cannot sit on a panel; a spec or a learner can")
        task = getattr(member, "task", "binary")
        if task != "binary":
            raise BadParameter(f"a panel votes on the labels -1 and +1, and {member.spec} is for {task}")
    specs = [member.spec for member in members]
    twice = next((spec for k, spec in enumerate(specs) if spec in specs[:k]), None)
    if twice is not None:
        raise BadParameter(f"{twice} is on the panel twice; once is enough")


def require_rule(rule: ExpertRule, count: int) -> None:
    """Refuse a rule for another number of experts, or one that does not learn from losses."""
    if not isinstance(rule, ExpertRule):
        raise BadType(f"the rule of a panel is a spec or a rule over experts, not a {type(rule).__name__}")
    if rule.n != count:
        raise BadParameter(f"the panel has {count} members and its rule {rule.n} experts")
    try:
        rule.clone().learn(np.zeros(count))
    except BadType:
        raise BadParameter(f"{rule.name} does not learn from losses; adahedge, hedge and squint do") from None


def checked(y: Any, weight: Any) -> tuple[float, float]:
    """Give label and importance as numbers; refuse others than a panel takes."""
    label, importance = number_or_nan(y), number_or_nan(weight)
    if label not in (-1.0, 1.0):
        raise BadLabel(f"the label is {y!r}; a panel takes -1 and +1")
    if not 0.0 <= importance <= HEAVIEST:
        raise BadInput(
            f"the importance of this row is {weight!r}; it must be a number from 0 to {HEAVIEST:g}"
        )
    return label, importance


def too_heavy(labels: Floats, weights: Floats | None) -> BadInput | None:
    """The first row that counts more than a rule can add up; members refuse the other bad ones."""
    if weights is None:
        return None
    heavy = np.flatnonzero((weights > HEAVIEST) & ~np.isnan(labels))
    if len(heavy) == 0:
        return None
    bad = BadInput(
        f"the importance of this row is {weights[heavy[0]]}; it must be a number from 0 to {HEAVIEST:g}"
    )
    bad.row = int(heavy[0])
    return bad
