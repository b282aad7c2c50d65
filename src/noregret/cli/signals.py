"""SIGTERM and SIGHUP (kill, timeout, a service that stops, a terminal that is closed): like Ctrl-C."""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from noregret.game.interrupts import SIGNALS, calm

T = TypeVar("T")
_ECHO = 1.0  # seconds
_heard: list[tuple[int, float]] = []  # signals, and when
told: list[str] = []  # what the command has said about an interrupt


def listen() -> None:
    """Take a signal that would end the process for Ctrl-C; one that is ignored (nohup) stays so."""
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def status(otherwise: int) -> int:
    """The exit status: 128 and the number of the signal, if one was heard."""
    return 128 + _heard[0][0] if _heard else otherwise


def is_ending() -> bool:
    """Whether a signal asked the process to end: what can wait is then left undone."""
    return bool(_heard)


def tell(sentence: str = "") -> None:
    """Say that the command was interrupted, and what that means for what it was to write."""
    told.append(f"noregret: interrupted{sentence and '; '}{sentence}")
    print(told[-1], file=sys.stderr)


@contextmanager
def telling(outcome: Callable[[], str]) -> Iterator[None]:
    """Let an interrupt end the command with a sentence about what was written, and what was not."""
    try:
        yield
    except KeyboardInterrupt:
        tell(outcome())
        raise


def calmly(batches: Iterator[T]) -> Generator[T, None, None]:
    """Yield the batches; a signal waits until whoever took one is done with it."""
    with calm() as pause:
        for batch in batches:
            pause.begin()
            yield batch
            pause.finish()


def _stop(number: int, frame: Any) -> None:
    now = time.monotonic()
    if _heard and now < _heard[-1][1] + _ECHO:
        return  # `timeout`, and shells that close, say it twice
    _heard.append((number, now))
    _leave_terminal()
    raise KeyboardInterrupt


def _leave_terminal() -> None:
    """Send to nowhere what would go to a terminal that is gone, where writing is an error."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(descriptor).st_mode) and not os.isatty(descriptor):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, descriptor)
                os.close(nowhere)
