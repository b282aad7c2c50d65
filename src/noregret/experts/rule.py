"""What every expert rule has in common: advice or losses in, weights and predictions out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self, overload

import numpy as np

from noregret import _core, markup
from noregret.certificate import Theorem, counted
from noregret.errors import BadInput, BadModel, BadParameter, BadType
from noregret.experts.accepted import GRADIENT, LOSS, MOST, N, on_or_off
from noregret.experts.account import Account
from noregret.experts.arrays import number, row_of, table_of, truths_of
from noregret.experts.losses import LossFunction, parse_loss
from noregret.experts.promises import Promise, count_waited
from noregret.experts.run import ExpertRun
from noregret.parameters import Parameter, ReadOnlyParameters, spec_of, whole
from noregret.rounds import Floats


class ExpertRule(ReadOnlyParameters, _core.Experts):
    """A rule of the native core with a name, parameters and theorems.

    Advice is what the experts say, NaN from one that sleeps. A rule learns from advice and truth, priced by
    its loss, or from a row of losses as it is.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    accepts: ClassVar[tuple[Parameter, ...]] = (N, LOSS, GRADIENT)
    read_only: ClassVar[tuple[str, ...]] = ("n", "rule", "spec", "parameters")
    only_loss: ClassVar[str | None] = None  # for rules that make sense with one loss only
    keeps_losses: ClassVar[bool] = False  # whether its theorem looks at every round, not only at sums

    def __init__(
        self, n: int, loss: str | LossFunction = "square", gradient: bool | str = "auto", **core: float
    ) -> None:
        """Hand the parameters to the core."""
        count = whole("n", n, 1, MOST)
        self.loss = parse_loss(self.only_loss or loss)
        self._given_gradient = on_or_off(gradient)
        sloped = self.loss.name != "zero-one" and self.loss.function is None
        if self._given_gradient is True and not sloped:
            raise BadParameter(
                "the gradient trick needs a loss with a slope: not zero-one, not a function in Python"
            )
        automatic = self.only_loss is None and sloped
        self.gradient = automatic if self._given_gradient == "auto" else bool(self._given_gradient)
        self._posed = 0  # promises made
        self._kept = 0  # promises kept
        super().__init__(self.name, count, core, self.loss.name, self.loss.quantile, self.gradient)

    def theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about this rule, with these parameters."""
        return ()

    @property
    def rounds_learned(self) -> int:
        """The number of rounds learned."""
        return int(self.scalars["rounds"])

    @property
    def is_fresh(self) -> bool:
        """Whether it has learned no round yet."""
        return self.rounds_learned == 0

    @property
    def weights(self) -> Floats:
        """The weights of the next round, with everybody awake."""
        return np.asarray(self.core_weights(None))

    def weights_for(self, advice: Any) -> Floats:
        """The weights of the next round, with this advice: sleepers have none."""
        return np.asarray(self.core_weights(row_of(advice)))

    def predict(self, advice: Any) -> float:
        """Say what the experts' advice amounts to. Changes nothing."""
        return float(self.core_predict(row_of(advice)))

    def promise(self, advice: Any) -> Promise:
        """Predict now, for a truth that comes later."""
        row = row_of(advice).copy()
        made = Promise(self.predict(row), row, self.weights_for(row), self._outstanding)
        self._posed += 1
        return made

    @overload
    def learn(self, advice: Promise, truth: float, /) -> float: ...
    @overload
    def learn(self, advice: Any, truth: float | None = None, /) -> float: ...
    def learn(self, advice: Any, truth: float | None = None, /) -> float:
        """Learn from a row of losses, from advice and truth, or from a promise and its truth.

        Gives what the rule suffered: Σ p·ℓ for a row of losses, the loss of its prediction else.
        """
        told = None if truth is None else number(truth)
        if isinstance(advice, Promise):
            if told is None:
                raise BadInput("a promise is learned with its truth")
            return self._late(advice, told)
        suffered = self._prompt(row_of(advice), told)
        if self._outstanding:
            count_waited(self, self._outstanding)
        return suffered

    def play(self, advice: Any, truth: Any = None, *, keep_weights: bool = False) -> ExpertRun:
        """Play a whole matrix, rounds × experts, in one call: of losses, or of advice with the truths."""
        table, begun = table_of(advice), self.scalars["rounds"]
        try:
            suffered, said, prices, history = self._play(table, truth, keep_weights)
        finally:  # the rows before a bad one were played
            if self._outstanding:
                count_waited(self, self._outstanding * (self.scalars["rounds"] - begun))
        kept = history.reshape(table.shape) if history is not None and keep_weights else None
        losses = None if prices is None or not self.keeps_losses else prices.reshape(table.shape)
        if losses is not None and history is not None and np.isnan(losses).any():
            own = np.nansum(history.reshape(table.shape) * losses, axis=1)
            losses = np.where(np.isnan(losses), own[:, None], losses)
        return ExpertRun(self.spec, self.account(losses), self.theorems(), suffered, said, kept, losses)

    def _play(
        self, table: Floats, truth: Any, keep_weights: bool
    ) -> tuple[Floats, Floats | None, Floats | None, Floats | None]:
        """Play; give what was suffered and said, the priced rows and the weights where they are wanted."""
        sleepers = self.keeps_losses and bool(np.isnan(table).any())  # who are charged by the weights
        wanted = keep_weights or sleepers or self.loss.function is not None
        history = np.empty(table.size) if wanted else None
        if truth is not None:
            return *self._play_advice(table, truths_of(truth, len(table)), history), history
        suffered = np.empty(len(table))
        self.core_play_losses(table, suffered, history)
        return suffered, None, table, history

    def _play_advice(
        self, table: Floats, truths: Floats, history: Floats | None
    ) -> tuple[Floats, Floats, Floats | None]:
        """Play; give what was suffered, what was said, and the priced rows if a theorem wants them."""
        if self.loss.function is not None:
            assert history is not None
            prices = self.loss.of(table, truths[:, None])
            self.core_play_losses(prices, np.empty(len(table)), history)
            said = np.nansum(history.reshape(table.shape) * table, axis=1)
            return self.loss.of(said, truths), said, prices
        suffered, said = np.empty(len(table)), np.empty(len(table))
        kept = np.empty(table.size) if self.keeps_losses else None
        self.core_play_advice(table, truths, said, suffered, history, kept)
        return suffered, said, kept

    def join(self, count: int = 1) -> None:
        """Let so many more experts take part, as if they had slept until now."""
        if count < 1:
            raise BadParameter(f"{count} experts cannot join; at least one can")
        self.core_grow(count)
        if getattr(self, "horizon", None) is not None:  # the rate was made for the number of experts
            tuned = type(self)(**self.parameters)
            tuned.core_restore(self.lanes(), dict(self.scalars))
            tuned._posed, tuned._kept = self._posed, self._kept
            self.__dict__.update(tuned.__dict__)
            self.adopt(tuned)

    def account(self, losses: Floats | None = None) -> Account:
        """The quantities that theorems ask for."""
        lanes = {name: np.asarray(lane) for name, lane in self.lanes().items()}
        totals = lanes["loss"] + lanes.get("before", 0.0)
        scalars = dict(self.scalars)
        linear = scalars["linearised"] > 0
        rounds, own = int(scalars["rounds"]), scalars["loss"]
        if losses is not None and len(losses) != rounds:
            losses = None  # some rounds lie before this run
        return Account(
            self.spec, self.n, rounds, own, totals, scalars, lanes, self.parameters, linear, losses
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as they would be given again."""
        special = {"loss": self.loss.function or self.loss.text, "gradient": self._given_gradient}
        return {p.name: special[p.name] if p.name in special else getattr(self, p.name) for p in self.accepts}

    @property
    def rule(self) -> str:
        """The spec without the number of experts: ``hedge:rate=0.5``."""
        return spec_of(self.name, self.accepts, self.parameters, skip="n")

    @property
    def spec(self) -> str:
        """The one-line name: ``hedge:n=3,rate=0.5``."""
        return spec_of(self.name, self.accepts, self.parameters)

    def adopt(self, other: _core.Experts) -> None:
        """Become a copy of another rule, which must have the same parameters."""
        if type(other) is not type(self) or other.parameters != self.parameters:
            raise BadParameter(
                "a rule can adopt only one of its own kind with the same parameters; clone() makes another"
            )
        super().adopt(other)

    def clone(self) -> Self:
        """Make a copy that shares nothing."""
        copy = type(self)(**self.parameters)
        copy.adopt(self)
        copy._posed, copy._kept = self._posed, self._kept
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        """Copy."""
        return self.clone()

    def state(self) -> dict[str, Any]:
        """Everything there is to save."""
        if self.loss.function is not None:
            raise BadType("a rule whose loss is a function in Python cannot be saved; name the loss")
        counts = {"posed": float(self._posed), "kept": float(self._kept)}
        return {"kind": "experts", "lanes": self.lanes(), "scalars": dict(self.scalars) | counts}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Become what state() described."""
        scalars = dict(state["scalars"])
        if state["kind"] != "experts" or "posed" not in scalars or "kept" not in scalars:
            raise BadModel("it does not hold a rule over experts")
        counts = [scalars.pop("posed"), scalars.pop("kept")]
        if not all(0.0 <= number < math.inf for number in (*counts, scalars.get("rounds", 0.0))):
            raise BadModel("it has a number of rounds that is none")
        self.core_restore(dict(state["lanes"]), scalars)
        self._posed, self._kept = (int(number) for number in counts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let pickle, and so multiprocessing, carry it. Model files are never pickles."""
        return _rebuilt, (type(self), self.parameters, self.state())

    def _repr_html_(self) -> str:
        """Show it in a notebook: the ten largest weights, and what each expert lost."""
        weights, losses = self.weights.tolist(), self.account().expert_losses.tolist()
        largest = sorted(range(self.n), key=lambda i: (-abs(weights[i]), i))[:10]
        rows = [(str(i), f"{weights[i]:.6g}", f"{losses[i]:.6g}") for i in largest]
        title = f"{self.spec}: {counted(self.scalars['rounds'], 'round')}"
        return markup.table(title, rows, ("expert", "weight", "loss"))

    def __repr__(self) -> str:
        """Spec and rounds."""
        return f"<{self.spec}: {int(self.scalars['rounds']):,} rounds>"

    @property
    def _outstanding(self) -> int:
        """How many promises wait for their truth."""
        return self._posed - self._kept

    def _late(self, promise: Promise, truth: float) -> float:
        if self.loss.function is not None:
            raise BadType("late truths need a loss by name, not a function in Python")
        if not self._outstanding:
            raise BadInput("no promise is outstanding: this one has been learned, or is another rule's")
        said, prediction, then, waiting = promise.advice, promise.prediction, promise.weights, promise.waiting
        suffered = float(self.core_learn_late(said, prediction, then, waiting, truth))
        self._kept += 1
        return suffered

    def _prompt(self, advice: Floats, truth: float | None) -> float:
        if truth is None:
            return float(self.core_learn_losses(advice))
        if self.loss.function is not None:
            return self._learn_function(advice, truth)
        return float(self.core_learn_advice(advice, truth)[1])

    def _learn_function(self, advice: Floats, truth: float) -> float:
        prediction = self.predict(advice)
        self.core_learn_losses(self.loss.of(advice, truth))
        return float(self.loss.of(prediction, truth))


def _rebuilt(kind: type[ExpertRule], parameters: dict[str, Any], state: dict[str, Any]) -> ExpertRule:
    rule = kind(**parameters)
    rule.restore(state)
    return rule
