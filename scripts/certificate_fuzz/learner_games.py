"""Random games of learners over examples and of panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import noregret as nr
from certificate_fuzz.code_lines import AFTER, CARRIED, HELPERS, STREAMS, SUBCLASSES
from certificate_fuzz.games import (
    CERTIFICATE,
    MODEL,
    Outcome,
    Problem,
    Script,
    ask,
    head,
    literal,
    rounder,
    shorter,
)
from certificate_fuzz.tables import Floats

UNCHANGED = ("", "it learns on")  # what happens after the run and leaves its rows as they were


@dataclass(frozen=True)
class LearnerGame:
    """A learner, what it learned before, the rows that it plays, and how it is certified."""

    spec: str
    X: Floats
    y: list[Any]
    weights: Floats | None = None
    form: str = "dense"
    before: tuple[Floats, list[Any]] | None = None
    carried: str = ""
    subclass: str = ""
    assigned: tuple[str, Any] | None = None
    shuffle: int | None = None
    reordered: bool = False
    lag: int = 0
    limit: int | None = None
    beside: str | None = None
    after: str = ""
    verified: bool = False  # the certificate is written to a file and verified
    witness: Any = None  # by column, or one for each class; None: certify searches

    @property
    def name(self) -> str:
        """The name of the learner."""
        return self.spec.partition(":")[0]

    # ---- its code --------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """The arrays and lists that its code names."""
        before = {} if self.before is None else {"X0": self.before[0], "y0": self.before[1]}
        return {"X": self.X.copy(), "y": list(self.y), "weights": self.weights} | before

    def made(self) -> list[str]:
        """Lines that make the learner."""
        made = f"learner = nr.learner({self.spec!r})"
        return [*HELPERS.get(self.form, []), made, *SUBCLASSES[self.subclass]]

    def assigning(self) -> list[str]:
        """The line that changes a parameter after construction."""
        return [] if self.assigned is None else [f"learner.{self.assigned[0]} = {self.assigned[1]!r}"]

    def learning(self) -> list[str]:
        """Lines in which it learns before the run."""
        if self.before is None:
            return list(CARRIED[self.carried])
        stream = STREAMS[self.form].format(X="X0", y="y0", weights="None")
        lines = ["try:", f"    nr.play({stream}, learner)", "except nr.errors.BadInput: pass"]
        return lines + CARRIED[self.carried]

    def playing(self) -> list[str]:
        """Lines that play it and certify it."""
        lines = [f"stream = {STREAMS[self.form].format(X='X', y='y', weights='weights')}"]
        if self.shuffle is not None:
            lines.append(f"stream = nr.shuffled(stream, {self.shuffle})")
        if self.reordered:
            lines += [
                "order = np.argsort(stream.labels, kind='stable')",
                "stream.matrix[:], stream.labels[:] = stream.matrix[order], stream.labels[order]",
            ]
        if self.lag:
            lines.append(f"stream = nr.Delayed(stream, {self.lag})")
        limit = "" if self.limit is None else f", {self.limit}"
        learners = "[learner]" if self.beside is None else f"[nr.learner({self.beside!r}), learner]"
        lines += [
            "try:",
            f"    ledger = nr.play_all(stream, {learners}{limit})[-1]",
            "except nr.errors.BadInput as stopped:",
            "    ledger = stopped.ledgers[-1]",
            *AFTER[self.after],
            f"certificates = nr.certify(ledger{self._witness()})",
        ]
        return lines

    def _witness(self) -> str:
        if self.witness is None:
            return ""
        parts = np.asarray(self.witness)
        if parts.ndim == 2:
            classes = sorted({one for one in self.y if one is not None}, key=str)
            told = {one: self._by_feature(row) for one, row in zip(classes, parts, strict=False)}
            return f", {told!r}"
        if self.form in ("names", "dicts") or len(parts) > self.X.shape[1]:
            return f", {self._by_feature(parts)!r}"
        return f", {parts.tolist()!r}"

    def _by_feature(self, u: Floats) -> dict[Any, float]:
        named = self.form in ("names", "dicts")
        keys = [f"f{j}" if named else j for j in range(self.X.shape[1])]
        return dict(zip([*keys, None][: len(u)], u.tolist(), strict=True))

    def code(self) -> str:
        """The Python code that plays it."""
        given = [literal(name, value) for name, value in self.values().items()]
        shown = ["for one in certificates: print(one)"]
        lines = [*self.made(), *self.assigning(), *self.learning(), *self.playing()]
        if self.verified:
            shown += [self._saving(), "nr.verify_certificate(certificate)"]
        return "\n".join([*head(), *given, *lines, *shown])

    # ---- playing ---------------------------------------------------------------------------------

    def play(self) -> Outcome:
        """Play it, certify it, and ask what is asked of every certificate."""
        outcome = Outcome()
        self._play(outcome)
        if self.assigned is not None:
            assigned = "a parameter can be assigned"
            outcome.problems = [
                one if one.what == assigned else one._replace(what=f"{one.what}, a parameter was assigned")
                for one in outcome.problems
            ]
        return outcome

    def _play(self, outcome: Outcome) -> None:
        script = Script(outcome, **self.values())
        if not script.run(self.made()) or not self._assign(script) or not script.run(self.learning()):
            return
        learned = self._taught() and _has_learned(script.names["learner"], self.spec)
        if not script.run(self.playing()):
            return
        certificates = script.names["certificates"]
        ask(outcome, certificates, "BROKEN" if self.after in UNCHANGED else "BROKEN after its rows changed")
        if self.verified and self.after in UNCHANGED:
            self._verify(script)
        for one in certificates:
            if str(one.verdict) != "holds":
                continue
            if learned and not one.note:
                outcome.problems.append(Problem("HOLDS though it had learned before", one.theorem, str(one)))
            drawn = any("random" in hypothesis.text and hypothesis.met for hypothesis in one.hypotheses)
            if self.reordered and drawn and np.any(np.diff(script.names["order"]) != 1):
                outcome.problems.append(Problem("HOLDS in an order not drawn", one.theorem, str(one)))

    def _saving(self) -> str:
        return f"nr.save_certificate(ledger, certificate{self._witness()})"

    def _taught(self) -> bool:
        return self.before is not None and any(label is not None for label in self.before[1])

    def _verify(self, script: Script) -> None:
        """Certify once more; then let the verifier, which shares no code with certify, play the run again."""
        witness = self._witness()
        if script.run([f"again = nr.certify(ledger{witness})"]):
            once, again = ([str(one) for one in script.names[name]] for name in ("certificates", "again"))
            if once != again:
                sentence = f"{once}, then {again}"
                script.outcome.problems.append(Problem("certify changes its mind", self.name, sentence))
        if not script.run([self._saving()]):
            return
        try:
            nr.verify_certificate(CERTIFICATE)
        except Exception as refused:
            sentence = f"{type(refused).__name__}: {refused}"
            script.outcome.problems.append(Problem("verify refuses the certificate", self.name, sentence))

    def _assign(self, script: Script) -> bool:
        """Try to change a parameter; that it can be changed is a problem, and the game goes on."""
        if self.assigned is None:
            return True
        learner = script.names["learner"]
        try:
            setattr(learner, *self.assigned)
        except (AttributeError, nr.errors.NoregretError):
            return False
        sentence = f"{self.name}.{self.assigned[0]} was changed after construction"
        script.outcome.problems.append(Problem("a parameter can be assigned", self.name, sentence))
        return True

    def circumstances(self) -> str:
        """What is unusual about it."""
        told = [
            self.form if self.form != "dense" else "",
            "" if self.before is None else "it learned before",
            self.carried,
            self.subclass,
            "" if self.assigned is None else "parameter assigned",
            "" if self.shuffle is None else "shuffled",
            "reordered in place" if self.reordered else "",
            f"lag {self.lag}" if self.lag else "",
            "" if self.weights is None else "importance weights",
            "" if None not in self.y else "missing labels",
            "" if self.limit is None else "limited rounds",
            "" if self.beside is None else "beside another",
            self.after,
            "verified" if self.verified else "",
        ]
        return ", ".join(one for one in told if one) or "plain"

    # ---- making it smaller -----------------------------------------------------------------------

    def simpler(self) -> Iterator[LearnerGame]:
        """Games that are a little simpler: plainer, with fewer rows, columns, parameters and digits."""
        names = ("weights", "before", "shuffle", "limit", "beside", "assigned")
        plain: dict[str, Any] = dict.fromkeys(names) | dict.fromkeys(("carried", "subclass", "after"), "")
        plain |= {"lag": 0, "form": "dense", "verified": False}
        for name, value in plain.items():
            mine = getattr(self, name)
            if mine is not None if value is None else mine != value:
                yield replace(self, **{name: value})
        yield from self._fewer_rows()
        for kept in shorter(self.X.shape[1]):
            yield self._columns(kept)
        yield from self._fewer_parameters()
        if self.witness is not None:
            yield from (replace(self, witness=u) for u in rounder(np.asarray(self.witness)))
        for rewritten in rounder(self.X):
            yield replace(self, X=rewritten)
        if self.before is not None:
            for rewritten in rounder(self.before[0]):
                yield replace(self, before=(rewritten, self.before[1]))

    def _fewer_rows(self) -> Iterator[LearnerGame]:
        for kept in shorter(len(self.y)):
            y = [label for label, keep in zip(self.y, kept, strict=True) if keep]
            yield replace(
                self, X=self.X[kept], y=y, weights=None if self.weights is None else self.weights[kept]
            )
        if self.before is not None:
            rows, labels = self.before
            for kept in shorter(len(labels)):
                fewer = [label for label, keep in zip(labels, kept, strict=True) if keep]
                yield replace(self, before=(rows[kept], fewer))

    def _columns(self, kept: Any) -> LearnerGame:
        before = None if self.before is None else (self.before[0][:, kept], self.before[1])
        witness = self.witness
        if witness is not None:
            u = np.asarray(witness)
            more = np.ones(u.shape[-1] - len(kept), dtype=bool)
            witness = u[..., np.append(kept, more)]
        return replace(self, X=self.X[:, kept], before=before, witness=witness)

    def _fewer_parameters(self) -> Iterator[LearnerGame]:
        name, _, given = self.spec.partition(":")
        if name == "panel":
            yield from self._fewer_members(given.split("/"))
            return
        parts = [part for part in given.split(",") if part]
        for left_out in parts:
            rest = ",".join(part for part in parts if part != left_out)
            yield replace(self, spec=f"{name}:{rest}" if rest else name)

    def _fewer_members(self, members: list[str]) -> Iterator[LearnerGame]:
        for k in range(len(members)):
            rest = members[:k] + members[k + 1 :]
            if any(not member.startswith("rule=") for member in rest):
                yield replace(self, spec="panel:" + "/".join(rest))


def _has_learned(learner: Any, spec: str) -> bool:
    """Whether a learner differs from a new one, by their model files."""
    nr.save(learner, MODEL)
    now = MODEL.read_bytes()
    nr.save(nr.learner(spec), MODEL)
    return now != MODEL.read_bytes()
