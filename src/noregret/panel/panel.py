"""The panel: several learners run in one pass, and an expert rule weighs what they say."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from noregret import _core, markup
from noregret.certificate import Theorem
from noregret.errors import BadInput, BadLabel, BadParameter, BadType, BusyLearner
from noregret.experts.account import Account
from noregret.experts.rule import ExpertRule
from noregret.panel.bands import arranged
from noregret.panel.course import Course
from noregret.panel.theorem import HalfTheWeight
from noregret.parameters import Parameter
from noregret.registry import expert_rule, learner
from noregret.rounds import Example, Floats, Learner

RULE = "adahedge"
HEAVIEST = 1e100  # an importance beyond this is more than a rule over experts adds up


class Standing(NamedTuple):
    """How a member stands: its mistakes since the panel began (by importance), and its weight now."""

    member: str
    mistakes: float
    weight: float


class Panel:
    """Predicts by the vote of its members, weighed by an expert rule over zero-one losses.

    What is certified is the expected loss Σp·ℓ of a panel that follows member k with probability p_k: the
    theorem of the rule bounds how much more that is than the mistakes of the best member. The vote itself
    errs at most twice as often as that. Members do not depend on the weights.

    >>> import noregret as nr
    >>> panel = nr.Panel(["perceptron", "perceptron:bias=true", "last-label"])
    >>> ledger = nr.play(nr.standard_basis(100), panel)
    >>> ledger.mistakes, round(ledger.loss, 2)
    (1, 1.35)
    >>> [c.verdict.value for c in nr.certify(ledger)]
    ['holds', 'holds']
    """

    name: ClassVar[str] = "panel"
    summary: ClassVar[str] = "several learners in one pass, weighed by an expert rule"
    loss_name: ClassVar[str] = "expected mistakes"
    task: ClassVar[str] = "binary"
    accepts: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(self, members: Sequence[str | Learner], rule: str | ExpertRule = RULE) -> None:
        """Take members, by spec or as they are, and a rule over experts by spec or as it is."""
        if isinstance(members, str):
            raise BadType("the members of a panel are a list of specs or learners, not one string")
        made = [learner(member) if isinstance(member, str) else member for member in members]
        _require_members(made)
        self._bands = arranged(made)
        self.rule: ExpertRule = (
            expert_rule(rule, len(made), loss="zero-one") if isinstance(rule, str) else rule
        )
        _require_rule(self.rule, len(made))
        self.vote_loss = 0.0  # Σ importance over the rounds where the vote was wrong
        self.course = Course(len(made))  # how the weights went, for pictures; not part of the model
        self._lock = threading.Lock()

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def members(self) -> list[Any]:
        """The members as they stand."""
        return [member for band in self._bands for member in band.members()]

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
    def is_fresh(self) -> bool:
        """Whether it has learned nothing yet."""
        return self.rule.scalars["rounds"] == 0

    @property
    def counts_zeros(self) -> bool:
        """Whether a 0 that is given is another thing than a feature that is absent, to one of its members."""
        return any(getattr(member, "counts_zeros", False) for member in self.members)

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
            label, importance = _checked(y, weight)
            if len(self._bands) > 1:
                for band in self._bands:
                    band.rehearse(x, label, importance)
            for band in self._bands:
                band.learn(x, label, importance)
            self.course.add(self.rule.weights[None, :])
            vote = 1.0 if _mixed(self.rule.weights, said) >= 0.0 else -1.0
            self.vote_loss += importance * (vote != label)
            self.rule.learn([importance * (one != label) for one in said])
            return importance > 0.0

    def _said(self, x: Example) -> list[float]:
        return [one for band in self._bands for one in band.predict(x)]

    # ---- many rounds -------------------------------------------------------------------------------

    @property
    def play_matrix(self) -> Any:
        """Predict, then learn, row after row; there where every member can."""
        if not all(band.native for band in self._bands):
            raise AttributeError("play_matrix")
        return self._play_matrix

    def _play_matrix(
        self,
        matrix: _core.Matrix,
        labels: Floats,
        weights: Floats | None,
        tally: _core.Tally,
        predictions: Floats | None,
        scores: Floats | None,
    ) -> None:
        with self._alone():
            said, refusal = self._play_members(matrix, np.ascontiguousarray(labels), weights)
            count = said.shape[1]
            told, importance = labels[:count], None if weights is None else weights[:count]
            score = self._play_rule(said, told, importance)
            vote = np.where(score >= 0.0, 1.0, -1.0)
            losses = (1.0 - told * score) / 2.0
            tally.add_rounds(score, vote, np.ascontiguousarray(told), losses, importance)
            if predictions is not None and scores is not None:
                predictions[:count], scores[:count] = vote, score
        if refusal is not None:
            raise refusal

    def _play_rule(self, said: Floats, labels: Floats, weights: Floats | None) -> Floats:
        """Teach the rule; give the score of every round, by the weights before it."""
        heard = ~np.isnan(labels)
        importance = np.ones(len(labels)) if weights is None else weights
        wrong = (said != labels)[:, heard] * importance[heard]
        history = np.empty(wrong.size)
        self.rule.core_play_losses(np.ascontiguousarray(wrong.T), np.empty(wrong.shape[1]), history)
        ladder = np.vstack([history.reshape(-1, len(said)), self.rule.weights])
        self.course.add(ladder[:-1])
        rung = np.cumsum(heard) - heard  # how many labels were told before the round
        score = np.zeros(len(labels))
        for k, one in enumerate(said):
            score += ladder[rung, k] * one
        missed = importance[heard] * (np.where(score >= 0.0, 1.0, -1.0) != labels)[heard]
        self.vote_loss = float(np.cumsum(np.append(self.vote_loss, missed))[-1])
        return score

    def _play_members(
        self, matrix: _core.Matrix, labels: Floats, weights: Floats | None
    ) -> tuple[Floats, BadInput | None]:
        """Let every member play the rows up to the first that one of them refuses."""
        refusal = _too_heavy(labels, weights)
        if refusal is not None:
            matrix.shorten(refusal.row or 0)
        before = [band.clone() for band in self._bands] if len(self._bands) > 1 else self._bands
        while True:
            said = np.empty((self.rule.n, len(matrix)))
            bad = self._try_members(matrix, labels, weights, said)
            if bad is None:
                return said, refusal
            if len(self._bands) > 1:
                self._bands = [band.clone() for band in before]
            if bad.row is None:
                raise bad
            if len(self._bands) == 1:
                return said[:, : bad.row], bad
            matrix.shorten(bad.row)
            refusal = bad

    def _try_members(
        self, matrix: _core.Matrix, labels: Floats, weights: Floats | None, said: Floats
    ) -> BadInput | None:
        """Play; give the first refusal, by row."""
        count, at = len(matrix), 0
        importance = None if weights is None else np.ascontiguousarray(weights[:count])
        for band in self._bands:
            size = len(band.specs)
            try:
                band.play(matrix, labels[:count], importance, said[at : at + size])
            except BadInput as bad:
                return bad  # others may refuse an earlier row: they are asked again, up to this one
            at += size
        return None

    def score_matrix(self, matrix: _core.Matrix, predictions: Floats | None, scores: Floats | None) -> None:
        """Predict every row and learn nothing."""
        with self._alone():
            said = np.empty((self.rule.n, len(matrix)))
            at = 0
            for band in self._bands:
                size = len(band.specs)
                band.predict_rows(matrix, said[at : at + size])
                at += size
            score = np.zeros(len(matrix))
            for weight, one in zip(self.rule.weights.tolist(), said, strict=True):
                score += weight * one
        if predictions is not None:
            predictions[:] = np.where(score >= 0.0, 1.0, -1.0)
        if scores is not None:
            scores[:] = score

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise BusyLearner("another thread is using this panel; give each thread its own clone")
        try:
            yield
        finally:
            self._lock.release()

    # ---- copies ------------------------------------------------------------------------------------

    @classmethod
    def of_parts(cls, members: Sequence[Any], rule: ExpertRule, vote_loss: float) -> Self:
        """Put a panel together from what it was made of."""
        made = cls.__new__(cls)
        Panel.__init__(made, members, rule)
        made.vote_loss = vote_loss
        return made

    def clone(self) -> Self:
        """Make a copy that shares nothing."""
        copy = self.__new__(type(self))
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
        return type(self).of_parts, (self.members, self.rule, self.vote_loss)

    def _repr_html_(self) -> str:
        """Show it in a notebook: the members, the best first."""
        rows = [(one.member, f"{one.mistakes:,.6g}", f"{one.weight:.2%}") for one in self.standings()]
        return markup.table(repr(self)[1:-1], rows, ("member", "mistakes", "weight"))

    def __repr__(self) -> str:
        """Name, members and rounds."""
        rounds = int(self.rule.scalars["rounds"])
        return f"<{self.name} of {self.rule.n} under {self.rule.name}: {rounds:,} rounds>"


def _require_members(members: Sequence[Any]) -> None:
    if not members:
        raise BadParameter("a panel needs members; give at least one spec or learner")
    for member in members:
        if not isinstance(member, Learner) or isinstance(member, Panel):
            raise BadType(f"a {type(member).__name__} cannot sit on a panel; a spec or a learner can")
        task = getattr(member, "task", "binary")
        if task != "binary":
            raise BadParameter(f"a panel votes on the labels -1 and +1, and {member.spec} is for {task}")
    specs = [member.spec for member in members]
    twice = next((spec for k, spec in enumerate(specs) if spec in specs[:k]), None)
    if twice is not None:
        raise BadParameter(f"{twice} is on the panel twice; once is enough")


def _require_rule(rule: ExpertRule, count: int) -> None:
    if not isinstance(rule, ExpertRule):
        raise BadType(f"the rule of a panel is a spec or a rule over experts, not a {type(rule).__name__}")
    if rule.n != count:
        raise BadParameter(f"the panel has {count} members and its rule {rule.n} experts")
    try:
        rule.clone().learn(np.zeros(count))
    except BadType:
        raise BadParameter(f"{rule.name} does not learn from losses; adahedge, hedge and squint do") from None


def _checked(y: float, weight: float) -> tuple[float, float]:
    if y not in (-1, 1):
        raise BadLabel(f"the label is {y}; a panel takes -1 and +1")
    if not 0.0 <= weight <= HEAVIEST:
        raise BadInput(f"the importance of this row is {weight}; it must be a number from 0 to {HEAVIEST:g}")
    return float(y), float(weight)


def _mixed(weights: Floats, said: list[float]) -> float:
    score = 0.0
    for weight, one in zip(weights.tolist(), said, strict=True):
        score += weight * one
    return score


def _too_heavy(labels: Floats, weights: Floats | None) -> BadInput | None:
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
