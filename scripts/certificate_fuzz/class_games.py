"""Random games over finite classes of hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from certificate_fuzz.games import Outcome, Script, ask
from certificate_fuzz.parameters import Generator, Kind, spec
from certificate_fuzz.tables import length

CLASSES = ("thresholds:7", "thresholds:20", "singletons:8", "disjunctions:3", "all:1", "all:3")


@dataclass(frozen=True)
class ClassGame:
    """A learner over a class, the nature that it plays, and one that it played before."""

    spec: str
    hypotheses: str
    nature: str
    limit: int | None = None
    before: str = ""
    carried: str = ""

    @property
    def name(self) -> str:
        """The name of the learner."""
        return self.spec.partition(":")[0]

    def lines(self) -> list[str]:
        """Lines that play it and certify it."""
        lines = [f"learner = nr.learner({self.spec!r}, {self.hypotheses!r})"]
        if self.before:
            lines += ["try:", f"    nr.play({self.before}, learner)", "except nr.errors.BadInput: pass"]
        if self.carried == "cloned":
            lines.append("learner = learner.clone()")
        if self.carried == "pickled":
            lines += ["import pickle", "learner = pickle.loads(pickle.dumps(learner))"]
        limit = "" if self.limit is None else f", {self.limit}"
        return [
            *lines,
            "try:",
            f"    ledger = nr.play({self.nature}, learner{limit})",
            "except nr.errors.BadInput as stopped:",
            "    ledger = stopped.ledgers[0]",
            "certificates = nr.certify(ledger)",
        ]

    def code(self) -> str:
        """The Python code that plays it."""
        return "\n".join(["import noregret as nr", *self.lines(), "for one in certificates: print(one)"])

    def play(self) -> Outcome:
        """Play it and ask what is asked of every certificate."""
        outcome = Outcome()
        script = Script(outcome)
        if script.run(self.lines()):
            ask(outcome, script.names["certificates"])
        return outcome

    def circumstances(self) -> str:
        """What is unusual about it."""
        told = ["it learned before" if self.before else "", self.carried]
        return ", ".join(one for one in told if one) or "plain"

    def simpler(self) -> Iterator[ClassGame]:
        """Games without a beginning, with smaller classes and fewer rounds."""
        if self.before:
            yield replace(self, before="")
        if self.carried:
            yield replace(self, carried="")
        for limit in (1, 2, 3, 5, 10, 20):
            if self.limit is None or limit < self.limit:
                yield replace(self, limit=limit)


def draw(rng: Generator, kind: Kind) -> ClassGame:
    """Draw a game of a learner over a class, or of a rule whose experts are its hypotheses."""
    rounds = length(rng)
    hypotheses = CLASSES[int(rng.integers(len(CLASSES)))]
    if rng.random() < 0.2:
        hypotheses = f"random:12,6,{rng.integers(50)}"
    if kind.name == "agnostic" and rng.random() < 0.7:
        text = f"agnostic:rounds={rounds}"
    else:
        text = spec(rng, kind, rounds)
        if "loss=" in text or "gradient=" in text:  # the loss over a class is zero-one
            text = kind.name
    game = ClassGame(text, hypotheses, _nature(rng, hypotheses, rounds))
    if rng.random() < 0.15:
        game = replace(game, before=_nature(rng, hypotheses, int(rng.integers(1, 6))))
    if rng.random() < 0.1:
        game = replace(game, carried="cloned" if rng.random() < 0.5 else "pickled")
    return replace(game, limit=int(rng.integers(0, rounds + 1))) if rng.random() < 0.1 else game


def _nature(rng: Generator, hypotheses: str, rounds: int) -> str:
    name, seed = repr(hypotheses), int(rng.integers(1000))
    how = rng.random()
    if how < 0.2:
        return f"nr.TreeAdversary({name})"
    if how < 0.35:
        return f"nr.CoverAdversary({name}, {rounds})"
    if how < 0.5:
        return f"nr.WorstCase({name}, first={rng.random() < 0.5})"
    if how < 0.75:
        return f"nr.realizable({name}, {rounds}, {seed})"
    return f"nr.noisy({name}, {rounds}, {float(rng.choice([0.05, 0.2, 0.5]))}, {seed})"
