"""The panel: several learners run in one pass, and an expert rule weighs what they say."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

from noregret import markup
from noregret.certificate import Theorem
from noregret.errors import BadType
from noregret.experts.account import Account
from noregret.experts.rule import ExpertRule
from noregret.panel.bands import arranged, copy_of, teach
from noregret.panel.course import Course
from noregret.panel.playing import Playing
from noregret.panel.requirements import checked, require_members, require_rule
from noregret.panel.theorem import HalfTheWeight
from noregret.parameters import Parameter, ReadOnlyParameters
from noregret.registry import expert_rule, learner
from noregret.rounds import Example, Floats, Learner

RULE = "adahedge"
LATE = (  # of a run whose labels did
    "labels came late, and its members learn when they come: what they would say then is not what they said, "
    "so their mistakes are not told and nothing is certified"
)


class Standing(NamedTuple):
    """How a member stands: its mistakes since the panel began (by importance), and its weight now."""

    member: str
    mistakes: float
    weight: float


class Panel(ReadOnlyParameters, Playing):
    """Predicts by the vote of its members, weighed by an expert rule over zero-one losses.

    What is certified is the expected loss Σp·ℓ of a panel that follows member k with probability p_k: the
    theorem of the rule bounds how much more that is than the mistakes of the best member. The vote itself
    errs at most twice as often as that. Members do not depend on the weights.

    Any learner can be a member. The panel teaches copies of the learners and of the rule that it is given;
    `members` are copies again. A member that offers `rehearse(x, y, weight)`, which raises what `learn` would
    raise and changes nothing, lets the panel ask everybody before anybody learns; of others that learn a row
    which a third refuses, the panel keeps copies (`clone`, else a deep copy) and puts these in their places.

    >>> import noregret as nr
    >>> panel = nr.Panel(["perceptron", "perceptron:bias=true", "last-label"])
    >>> ledger = nr.play(nr.standard_basis(100), panel)
    >>> ledger.mistakes, round(ledger.loss, 2)
    (1, 1.35)
    >>> [c.verdict.value for c in nr.certify(ledger)]
    ['holds', 'holds']
    """

    play_matrix = Playing.play_matrix  # stands for what is written here, and not for what a subclass writes

    name: ClassVar[str] = "panel"
    summary: ClassVar[str] = "several learners in one pass, weighed by a rule over experts"
    read_only: ClassVar[tuple[str, ...]] = ("members", "specs", "rule", "spec", "parameters")
    loss_name: ClassVar[str] = "expected mistakes"
    task: ClassVar[str] = "binary"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rule", RULE, "the rule over experts that weighs the members; it comes first in a spec"),
        Parameter("members", None, "specs with / between them: panel:rule=squint/perceptron/arow:ridge=10"),
    )

    def __init__(self, members: Sequence[str | Learner], rule: str | ExpertRule = RULE) -> None:
        """Take members, by spec or copies of learners, and a rule over experts by spec or a copy of one."""
        if isinstance(members, str):
            raise BadType("the members of a panel are a list of specs or learners, not one string")
        made = [learner(member) if isinstance(member, str) else member for member in members]
        require_members(made)
        weighs = expert_rule(rule, len(made), loss="zero-one") if isinstance(rule, str) else rule
        require_rule(weighs, len(made))
        self._take([copy_of(member) for member in made], weighs.clone(), 0.0)

    def _take(self, members: Sequence[Any], rule: ExpertRule, vote_loss: float) -> None:
        """Be made of these."""
        self._bands = arranged(members)
        self.rule: ExpertRule = rule
        self.vote_loss = vote_loss
        self.course = Course(len(members))
        self._lock = threading.Lock()

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def members(self) -> list[Any]:
        """Copies of the members as they stand."""
        return self.parts()[0]

    @property
    def specs(self) -> list[str]:
        """The specs of the members."""
        return [spec for band in self._bands for spec in band.specs]

    @property
    def spec(self) -> str:
        """The one-line name: ``panel:perceptron/last-label``, after ``rule=…/`` if that is not adahedge."""
        told = "" if self.rule.rule == f"{RULE}:loss=zero-one" else f"rule={self.rule.rule}/"
        return f"{self.name}:{told}{'/'.join(self.specs)}"

    @classmethod
    def of_spec(cls, text: str) -> Panel:
        """Make the panel that the text behind ``panel:`` describes."""
        pieces = [piece.strip() for piece in text.split("/") if piece.strip()]
        if pieces and pieces[0].startswith("rule="):
            return Panel(pieces[1:], pieces[0].removeprefix("rule="))
        return Panel(pieces)

    @property
    def parameters(self) -> dict[str, Any]:
        """None that a spec has by name."""
        return {}

    @property
    def rounds_learned(self) -> int:
        """The number of labelled rounds that its rule has learned."""
        return self.rule.rounds_learned

    @property
    def is_fresh(self) -> bool:
        """Whether neither its rule nor a member has learned anything yet."""
        return self.rule.is_fresh and all(band.is_fresh for band in self._bands)

    @property
    def counts_zeros(self) -> bool:
        """Whether a 0 that is given is another thing than a feature that is absent, to one of its members."""
        return any(band.counts_zeros for band in self._bands)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each member in the next round."""
        return dict(zip(self.specs, self.rule.weights.tolist(), strict=True))

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the panel itself."""
        return {"vote": self.vote_loss}

    def standings(self) -> list[Standing]:
        """The members, the best first."""
        losses = self.rule.account().expert_losses.tolist()
        listed = zip(self.weights.items(), losses, strict=True)
        return sorted((Standing(m, loss, w) for (m, w), loss in listed), key=lambda one: one.mistakes)

    def best(self) -> Any:
        """The member with the fewest mistakes."""
        return self.members[self.rule.account().best]

    def theorems(self) -> tuple[Theorem, ...]:
        """Those of the rule, for the expected loss; and what follows for the vote."""
        own = self.rule.theorems()
        return (*own, HalfTheWeight(own))

    def account(self) -> Account:
        """The quantities that the theorems ask for."""
        account = self.rule.account()
        return replace(account, scalars=account.scalars | self.scalars)

    # ---- one round ---------------------------------------------------------------------------------

    def score(self, x: Example) -> float:
        """Σp·(what the member says), from −1 to +1."""
        with self._alone():
            return _mixed(self.rule.weights, self._said(x))

    def predict(self, x: Example) -> float:
        """The vote: −1.0 or +1.0. Changes nothing."""
        return 1.0 if self.score(x) >= 0.0 else -1.0

    def loss_of(self, score: float, y: float) -> float:
        """The weight of the members that are wrong."""
        return (1.0 - y * score) / 2.0

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Teach every member, and the rule how they did; a row that one of them refuses changes nothing."""
        with self._alone():
            said = self._said(x)
            if y is None:
                return False
            label, importance = checked(y, weight)
            teach(self._bands, x, label, importance)
            self.course.add(self.rule.weights[None, :])
            vote = 1.0 if _mixed(self.rule.weights, said) >= 0.0 else -1.0
            self.vote_loss += importance * (vote != label)
            self.rule.learn([importance * (one != label) for one in said])
            return importance > 0.0

    def _said(self, x: Example) -> list[float]:
        return [one for band in self._bands for one in band.predict(x)]

    # ---- copies ------------------------------------------------------------------------------------

    @classmethod
    def of_parts(cls, members: Sequence[Any], rule: ExpertRule, vote_loss: float) -> Self:
        """Put a panel together from what it was made of."""
        require_members(members)
        require_rule(rule, len(members))
        made = cls.__new__(cls)
        made._take(members, rule, vote_loss)
        return made

    def parts(self) -> tuple[list[Any], ExpertRule, float]:
        """Copies of the members and of the rule, and what the vote lost: all after the same round."""
        with self._alone():
            members = [member for band in self._bands for member in band.members()]
            return members, self.rule.clone(), self.vote_loss

    def clone(self) -> Self:
        """Make a copy that shares nothing."""
        copy = self.__new__(type(self))
        with self._alone():
            copy._bands = [band.clone() for band in self._bands]
            copy.rule, copy.vote_loss = self.rule.clone(), self.vote_loss
            copy.course = deepcopy(self.course)
        copy._lock = threading.Lock()
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        """Copy."""
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """Let pickle, and so multiprocessing, carry it. Model files are never pickles."""
        return type(self).of_parts, self.parts()

    def _repr_html_(self) -> str:
        """Show it in a notebook: the members, the best first."""
        rows = [(one.member, f"{one.mistakes:,.6g}", f"{one.weight:.2%}") for one in self.standings()]
        return markup.table(repr(self)[1:-1], rows, ("member", "mistakes", "weight"))

    def __repr__(self) -> str:
        """Name, members and rounds."""
        rounds = int(self.rule.scalars["rounds"])
        return f"<{self.name} of {self.rule.n} under {self.rule.name}: {rounds:,} rounds>"


def _mixed(weights: Floats, said: list[float]) -> float:
    score = 0.0
    for weight, one in zip(weights.tolist(), said, strict=True):
        score += weight * one
    return score
