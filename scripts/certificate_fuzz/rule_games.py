"""Random games of rules over experts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

import noregret as nr
from certificate_fuzz.games import Outcome, Problem, Script, ask, head, literal, rounder, shorter
from certificate_fuzz.parameters import Generator, Kind, log_uniform, spec
from certificate_fuzz.tables import Floats, length

ACTIONS = {
    "saved and loaded": ["nr.save(rule, model)", "rule = nr.load(model)"],
    "cloned": ["rule = rule.clone()"],
    "pickled": ["import pickle", "rule = pickle.loads(pickle.dumps(rule))"],
    "joined": ["rule.join(1)"],
}
ADVICE_ONLY = ("expert-ridge", "wm")  # rules that do not learn from losses as they are
FUNCTION = ["def loss(said, truth):", "    return min(abs(said - truth), 1e60) ** 1.5"]


@dataclass(frozen=True)
class RuleGame:
    """A rule, rounds × experts of losses or of advice, and what is done to the rule on the way."""

    spec: str
    table: Floats
    truths: Floats | None = None
    how: str = "play"  # play, learn or promise
    lag: int = 0
    action: str = ""
    at: int = 0  # before this round
    function: bool = False  # the loss is a function in Python
    exact: bool = False  # the regret is worked out in fractions as well

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.spec.partition(":")[0]

    def lines(self) -> list[str]:
        """Lines that play it and certify it."""
        more = ", loss=loss" if self.function else ""
        made = f"rule = nr.expert_rule({self.spec!r}, {self.table.shape[1]}{more})"
        lines = [*(FUNCTION if self.function else []), made]
        if not self.action:
            return [*lines, *self._rounds("table", "truths"), self._certified()]
        first, rest = f"[:{self.at}]", f"[{self.at}:]"
        joined = "np.column_stack([table, table[:, 0]])" if self.action == "joined" else "table"
        return [
            *lines,
            *self._rounds(f"table{first}", f"truths{first}"),
            *ACTIONS[self.action],
            *self._rounds(f"{joined}{rest}", f"truths{rest}"),
            self._certified(),
        ]

    def _rounds(self, table: str, truths: str) -> list[str]:
        given = self.truths is not None
        if self.how == "play":
            more = f", {truths}" if given else ", keep_weights=True" if self.exact else ""
            return [f"run = rule.play({table}{more})"]
        if self.how == "learn" or not given:
            pairs = f"zip({table}, {truths})" if given else f"zip({table})"
            return [f"for round in {pairs}:", "    rule.learn(*round)"]
        return [
            "waiting = []",
            f"for advice, truth in zip({table}, {truths}):",
            "    waiting.append((rule.promise(advice), truth))",
            f"    if len(waiting) > {self.lag}: rule.learn(*waiting.pop(0))",
            "for promise in waiting: rule.learn(*promise)",
        ]

    def _certified(self) -> str:
        return f"certificates = nr.certify({'run' if self.how == 'play' and not self.action else 'rule'})"

    def values(self) -> dict[str, Any]:
        """The arrays that its code names."""
        truths = {} if self.truths is None else {"truths": self.truths}
        return {"table": self.table} | truths

    def code(self) -> str:
        """The Python code that plays it."""
        given = [literal(name, value) for name, value in self.values().items()]
        return "\n".join([*head(), *given, *self.lines(), "for one in certificates: print(one)"])

    def play(self) -> Outcome:
        """Play it and ask what is asked of every certificate."""
        outcome = Outcome()
        script = Script(outcome, **self.values())
        if script.run(self.lines()):
            certificates = script.names["certificates"]
            ask(outcome, certificates)
            if self.exact:
                self._ask_exactly(outcome, certificates, script.names["run"].weights)
        return outcome

    def _ask_exactly(self, outcome: Outcome, certificates: list[Any], weights: Floats) -> None:
        """Work out the regret against the best expert in fractions, and hold it against the bounds."""
        losses = [[Fraction(loss) for loss in row] for row in self.table.tolist()]
        own = Fraction(0)
        for chances, row in zip(weights.tolist(), losses, strict=True):
            own += sum((Fraction(p) * loss for p, loss in zip(chances, row, strict=True)), Fraction(0))
        regret = own - min(sum(column) for column in zip(*losses, strict=True))
        size = float(np.abs(self.table).sum()) or 1.0
        for one in certificates:
            plain = one.about == "regret" and abs(one.observed - float(regret)) < 1e-6 * size
            if plain and str(one.verdict) == "holds" and regret > Fraction(one.bound):
                sentence = f"{one}; the regret is {float(regret)!r}, the bound {one.bound!r}"
                outcome.problems.append(Problem("HOLDS though exceeded in fractions", one.theorem, sentence))

    def circumstances(self) -> str:
        """What is unusual about it."""
        told = [
            "losses" if self.truths is None else "advice",
            f"promises, lag {self.lag}" if self.how == "promise" else "",
            self.action,
            "a loss in Python" if self.function else "",
            "sleepers" if np.isnan(self.table).any() else "",
        ]
        return ", ".join(one for one in told if one)

    def simpler(self) -> Iterator[RuleGame]:
        """Games with fewer rounds, experts, parameters and digits."""
        if self.action:
            yield replace(self, action="")
        if self.how != "play":
            yield replace(self, how="play", lag=0)
        for kept in shorter(len(self.table)):
            truths = None if self.truths is None else self.truths[kept]
            yield replace(self, table=self.table[kept], truths=truths, at=int(kept[: self.at].sum()))
        for kept in shorter(self.table.shape[1]):
            yield replace(self, table=self.table[:, kept])
        name, _, given = self.spec.partition(":")
        parts = [part for part in given.split(",") if part]
        for left_out in parts:
            rest = ",".join(part for part in parts if part != left_out)
            yield replace(self, spec=f"{name}:{rest}" if rest else name)
        for rewritten in rounder(self.table):
            yield replace(self, table=rewritten)
        if self.truths is not None:
            for rewritten in rounder(self.truths):
                yield replace(self, truths=rewritten)


def draw(rng: Generator, kind: Kind) -> RuleGame:
    """Draw a game of a rule."""
    rounds, n = length(rng), int(rng.choice([1, 2, 2, 3, 5, 8, 20]))
    text = spec(rng, kind, rounds)
    truths = None
    if rng.random() < 0.5 and kind.name not in ADVICE_ONLY:
        table = _against(rng, text, n, rounds) if rng.random() < 0.2 else _losses(rng, rounds, n)
    else:
        table, truths = _advice(rng, rounds, n, text, kind)
    if rng.random() < 0.1:
        asleep = rng.random(table.shape) < 0.2
        asleep[np.arange(len(table)), rng.integers(0, n, len(table))] = (
            False  # somebody speaks in every round
        )
        table = np.where(asleep, np.nan, table)
    exact = truths is None and table.size <= 400 and np.isfinite(table).all() and rng.random() < 0.2
    game = RuleGame(text, table, truths, exact=bool(exact))
    how = rng.random()
    if how < 0.12:
        game = replace(game, how="learn", exact=False)
    elif how < 0.24 and truths is not None:
        game = replace(game, how="promise", lag=int(rng.integers(0, 6)))
    if rng.random() < 0.15:
        action = list(ACTIONS)[int(rng.integers(len(ACTIONS)))]
        game = replace(game, exact=False, action=action, at=int(rng.integers(0, len(table) + 1)))
    if rng.random() < 0.03 and truths is not None and "loss=" not in text:
        game = replace(game, function=True, how="play")
    return game


def _losses(rng: Generator, rounds: int, n: int) -> Floats:
    """Draw losses: within [0, 1] in most games."""
    shape = (rounds, n)
    how = rng.random()
    if how < 0.3:
        made = rng.random(shape)
    elif how < 0.6:
        made = (rng.random(shape) < rng.random(n)).astype(float)
    elif how < 0.7:
        made = np.tile(rng.random((1, n)), (rounds, 1))
    elif how < 0.8:  # the best expert changes
        best = (np.arange(rounds) * 3 // max(rounds, 1)) % n
        made = 1.0 - (np.arange(n) == best[:, None]).astype(float)
    else:
        made = rng.standard_normal(shape)
    if rng.random() < 0.2:
        made[:, 0] = 0.0
    return _stretched(rng, made)


def _stretched(rng: Generator, table: Floats) -> Floats:
    how = rng.random()
    if how < 0.06:
        return table * log_uniform(rng, 1e-8, 1e8)
    if how < 0.12:
        return table * 10.0 ** np.round(rng.uniform(-8, 8, len(table)), 1)[:, None]
    if how < 0.15:
        return table + log_uniform(rng, 1e-8, 1e8)
    if how < 0.16:
        return table * log_uniform(rng, 1e-300, 1e300)
    return table


def _against(rng: Generator, text: str, n: int, rounds: int) -> Floats:
    """Choose losses against the weights: 1 for the heaviest expert, or for all that are above the mean."""
    rule = nr.expert_rule(text, n)
    heaviest = rng.random() < 0.5
    table = []
    for _ in range(min(rounds, 80)):
        weights = rule.weights
        if heaviest:
            row = (np.arange(n) == int(np.argmax(weights))).astype(float)
        else:
            row = (weights >= weights.mean()).astype(float)
        try:
            rule.learn(row)
        except nr.errors.NoregretError:
            break
        table.append(row)
    return np.array(table) if table else np.ones((1, n))


def _answers(rng: Generator, text: str, advice: Floats, truths: Floats) -> tuple[Floats, Floats]:
    """In some games let the truth be what the rule does not predict, always or while an expert is right."""
    if rng.random() > 0.2:
        return advice, truths
    rule = nr.expert_rule(text, advice.shape[1])
    keep_one = rng.random() < 0.5
    perfect = np.ones(advice.shape[1], dtype=bool)
    answered = []
    for row in advice[:80]:
        truth = float(rule.predict(row) < 0.5)
        if keep_one and not (perfect & (row == truth)).any():
            truth = 1.0 - truth
        perfect &= row == truth
        rule.learn(row, truth)
        answered.append(truth)
    return advice[: len(answered)], np.array(answered)


def _advice(rng: Generator, rounds: int, n: int, text: str, kind: Kind) -> tuple[Floats, Floats]:
    """Draw advice and truths; bits where the loss, or a vote, asks for them."""
    voting = kind.name in ("wm", "rwm") or "zero-one" in text
    if voting:
        truths = (rng.random(rounds) < 0.5).astype(float)
        advice = np.abs(truths[:, None] - (rng.random((rounds, n)) < rng.random(n)))
        if rng.random() < 0.3:
            advice[:, -1] = truths  # an expert without mistakes
        return _answers(rng, text, advice.astype(float), truths)
    if "loss=log" in text:
        return rng.random((rounds, n)), (rng.random(rounds) < 0.5).astype(float)
    truths = rng.random(rounds) if rng.random() < 0.5 else rng.standard_normal(rounds)
    advice = truths[:, None] + rng.standard_normal((rounds, n)) * rng.uniform(0, 1, n)
    if rng.random() < 0.4:
        advice = np.clip(advice, 0.0, 1.0)
    if rng.random() < 0.1:
        factor = log_uniform(rng, 1e-8, 1e8)
        return advice * factor, truths * factor
    return _stretched(rng, advice), truths
