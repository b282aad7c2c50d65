"""Everything that noregret raises on purpose.

::

    NoregretError
    ├── BadInput (ValueError)         the data was bad                      exit status 1
    │   ├── BadLabel                  a label that the learner cannot take
    │   ├── BadType (TypeError)       an object of the wrong kind
    │   ├── BadFile                   a data file: names the line, column and token
    │   ├── BadModel                  a model file that is damaged, foreign or too new
    │   └── BadCertificate            a certificate that is not one, or does not agree with its data
    ├── BadCommand (ValueError)       what was asked for was bad            exit status 2
    │   ├── BadParameter              a parameter out of its range
    │   │   └── ReadOnly (AttributeError) a parameter that is set after construction
    │   └── UnknownName               no such learner, nature or format
    ├── BusyLearner (RuntimeError)    two threads, one learner
    ├── LawBroken (AssertionError)    noregret.checks found a learner that breaks a law
    └── MissingExtra (ImportError)    an optional dependency is not installed

    Stopped (KeyboardInterrupt)       Ctrl-C during a run                   exit status 130
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST_FAULTS = 5  # bad rows that are told of in a sentence each, where they are passed over


class NoregretError(Exception):
    """The root of all of them."""


class BadInput(NoregretError, ValueError):
    """The data was bad. Nothing was learned from the row in question."""

    row: int | None = None  # its number in the batch, from 0
    where: str | None = None  # file and line, where known
    ledgers: Sequence[Any] = ()  # of the run that it stopped, up to here

    def __str__(self) -> str:
        """Put the place in front of the sentence."""
        sentence = super().__str__()
        return f"{self.where}: {sentence}" if self.where else sentence


class BadLabel(BadInput):
    """A label that the learner cannot take."""


class BadType(BadInput, TypeError):
    """An object of the wrong kind."""


class BadFile(BadInput):
    """A data file that cannot be read as what it should be."""


class BadModel(BadInput):
    """A model file that is damaged, foreign or too new."""


class BadCertificate(BadInput):
    """A certificate that is not one, or that does not agree with its data."""


class BadCommand(NoregretError, ValueError):
    """What was asked for was bad."""


class BadParameter(BadCommand):
    """A parameter out of its range."""


class ReadOnly(BadParameter, AttributeError):
    """A parameter was set or deleted after construction."""


class UnknownName(BadCommand):
    """No learner, nature or format has this name."""


class BusyLearner(NoregretError, RuntimeError):
    """Another thread is using this learner."""


class LawBroken(NoregretError, AssertionError):
    """A learner breaks one of the laws in noregret.checks."""


class MissingExtra(NoregretError, ImportError):
    """An optional dependency is not installed."""


class Stopped(KeyboardInterrupt):
    """Somebody pressed Ctrl-C during a run; what was learned before it is in the ledgers."""

    def __init__(self, ledgers: Sequence[Any]) -> None:
        """Keep the ledgers of the run, up to here."""
        super().__init__()
        self.ledgers = ledgers


def reason(problem: OSError) -> str:
    """What the system says was wrong with a file, as the end of a sentence."""
    return (problem.strerror or str(problem)).lower()
