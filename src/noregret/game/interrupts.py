"""Ctrl-C, and other signals that somebody handles: not in the middle of a batch."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Not every system has all of them.
SIGNALS: tuple[int, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Calm:
    """Which signal was heard, if any, and whether it has to wait."""

    def __init__(self) -> None:
        """Nothing was heard, and nobody is at work."""
        self.handlers: dict[int, Callable[[int, Any], Any]] = {}  # whom a signal is passed on to
        self.heard: int | None = None
        self.at_work = False  # on a batch, which is to be finished
        self.raised: BaseException | None = None  # by whom a signal was passed on to

    def hear(self, number: int, frame: Any) -> None:
        """Be the handler of the signals."""
        impatient = self.heard is not None and number == signal.SIGINT
        if impatient or not self.at_work:
            self._pass_on(number, frame)
        else:
            self.heard = number

    def begin(self) -> None:
        """Begin the work on a batch, unless a signal should have ended it all.

        What a handler raises in the midst of a destructor, or of a weak reference's callback, Python drops.
        """
        if self.raised is not None:
            raise self.raised
        self.at_work = True

    def finish(self) -> None:
        """End the work on a batch, and pass on what was heard meanwhile."""
        self.at_work = False
        if self.heard is not None:
            number, self.heard = self.heard, None
            self._pass_on(number, None)

    def _pass_on(self, number: int, frame: Any) -> None:
        try:
            self.handlers[number](number, frame)
        except BaseException as problem:
            self.raised = problem
            raise


@contextmanager
def calm() -> Iterator[Calm]:
    """Let signals wait for the end of a batch, so that all learners have seen the same rounds.

    A second Ctrl-C does not wait. A signal that is ignored stays so, as does one that ends the process.
    """
    pause = Calm()
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if callable(handler := signal.getsignal(number)):
                pause.handlers[number] = handler
    try:
        for number in pause.handlers:
            signal.signal(number, pause.hear)
        yield pause
    finally:
        for number, handler in pause.handlers.items():
            signal.signal(number, handler)
        pause.raised = None  # it holds on to everything that was at work
