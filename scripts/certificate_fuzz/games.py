"""What all games share: code that plays one, what is asked of certificates, how a game is made smaller.

A game is Python code and the values of its names. The fuzz executes the code, and prints it as the
reproduction of a failure: both are the same text.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

import noregret as nr

FOLDER = tempfile.TemporaryDirectory(prefix="fuzz_certificates_")  # removed when the process ends
MODEL = Path(FOLDER.name) / "learner.model"
CERTIFICATE = Path(FOLDER.name) / "run.cert.json"
SHRINKING = 3.0  # seconds for one failure, at most
MOST_NUMBERS = 400  # in a reproduction; larger ones are named by their seed


class Problem(NamedTuple):
    """Something that must not be: what, of which theorem or learner, and the details in a sentence."""

    what: str
    about: str
    sentence: str

    @property
    def key(self) -> tuple[str, str]:
        """What makes two problems the same for the reader."""
        return self.what, self.about


@dataclass
class Outcome:
    """What came of a game."""

    certificates: list[Any] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)  # sentences of the library's own errors
    warned: list[str] = field(default_factory=list)


class Game(Protocol):
    """A game that can be played, printed and made smaller."""

    @property
    def name(self) -> str:
        """The name of its learner or rule."""
        ...

    def play(self) -> Outcome:
        """Play it, certify it, and ask what is asked of every certificate."""
        ...

    def code(self) -> str:
        """The Python code that plays it."""
        ...

    def circumstances(self) -> str:
        """What is unusual about it, in a few words."""
        ...

    def simpler(self) -> Iterator[Game]:
        """Games that are a little simpler."""
        ...


class Script:
    """Executes the lines of a game in one namespace and turns what is raised into an outcome."""

    def __init__(self, outcome: Outcome, **names: Any) -> None:
        """Begin with these names, beside those that every game may use."""
        self.outcome = outcome
        self.names = {"np": np, "nr": nr, "model": MODEL, "certificate": CERTIFICATE, **names}

    def run(self, lines: list[str]) -> bool:
        """Execute the lines; give whether nothing was raised."""
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                exec("\n".join(lines), self.names)
        except (nr.errors.NoregretError, KeyboardInterrupt) as refused:
            if isinstance(refused, KeyboardInterrupt):
                raise
            self.outcome.refusals.append(f"{type(refused).__name__}: {refused}")
            return False
        except Exception as problem:
            kind = type(problem).__name__
            self.outcome.problems.append(Problem(f"exception {kind}", _place(problem), f"{kind}: {problem}"))
            return False
        self.outcome.warned += [f"{one.category.__name__}: {one.message}" for one in caught]
        return True


def _place(problem: BaseException) -> str:
    """The module and function of the library in which it was raised."""
    place = "?"
    trace = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "noregret" in code.co_filename:
            place = f"{Path(code.co_filename).stem}.{code.co_name}"
        trace = trace.tb_next
    return place


def ask(outcome: Outcome, certificates: list[Any], what: str = "BROKEN") -> None:
    """Ask of every certificate that it is not broken, and that one that holds has two finite numbers."""
    for one in certificates:
        outcome.certificates.append(one)
        verdict = str(one.verdict)
        if verdict == "broken":
            outcome.problems.append(Problem(what, one.theorem, str(one)))
        elif verdict == "holds":
            if one.bound is None or not np.isfinite([one.bound, one.observed]).all():
                outcome.problems.append(Problem("HOLDS without numbers", one.theorem, str(one)))
            elif one.observed > one.bound * (1.0 + 1e-12) + 1e-300:
                outcome.problems.append(Problem("HOLDS though exceeded", one.theorem, str(one)))


def smallest(game: Game, key: tuple[str, str]) -> Game:
    """Make a game simpler as long as the same problem remains."""
    until = time.perf_counter() + SHRINKING

    def fails(candidate: Game) -> bool:
        return any(problem.key == key for problem in candidate.play().problems)

    again = True
    while again:
        again = False
        for candidate in game.simpler():
            if time.perf_counter() > until:
                return game
            if fails(candidate):
                game, again = candidate, True
                break
    return game


def head() -> list[str]:
    """The first lines of a reproduction; it writes its files where it is run."""
    return ["import numpy as np, noregret as nr", "model, certificate = 'a.model', 'a.cert.json'"]


def literal(name: str, value: Any) -> str:
    """Write a value as Python code."""
    if isinstance(value, np.ndarray):
        return f"{name} = np.array({_plain(value.tolist())}, dtype=float).reshape({value.shape})"
    return f"{name} = {_plain(value)}"


def _plain(value: Any) -> str:
    return repr(value).replace("nan", "np.nan").replace("inf", "np.inf")


def shorter(count: int) -> Iterator[np.ndarray]:
    """Ways to leave some of so many things out: halves first, single ones last."""
    size = count // 2
    while size >= 1:
        for begin in range(0, count, size):
            kept = np.ones(count, dtype=bool)
            kept[begin : begin + size] = False
            if kept.any():
                yield kept
        size //= 2


def rounder(table: np.ndarray) -> Iterator[np.ndarray]:
    """Ways to write numbers with fewer digits."""
    for rewritten in (np.sign(table), np.round(table), _digits(table, 1), _digits(table, 3)):
        if not np.array_equal(rewritten, table):
            yield rewritten


def _digits(table: np.ndarray, digits: int) -> np.ndarray:
    written = [float(f"{value:.{digits}g}") for value in table.ravel()]
    return np.array(written, dtype=float).reshape(table.shape)
