"""Ctrl-C: not in the middle of a batch."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Calm:
    """Whether Ctrl-C was heard, and whether it has to wait."""

    def __init__(self) -> None:
        """Nothing was heard, and nobody is at work."""
        self.heard = False
        self.at_work = False  # on a batch, which is to be finished

    def hear(self, number: int, frame: Any) -> None:
        """Be the handler of the signal."""
        if self.heard or not self.at_work:
            raise KeyboardInterrupt
        self.heard = True


@contextmanager
def calm() -> Iterator[Calm]:
    """Let Ctrl-C wait for the end of a batch, so that all learners have seen the same rounds.

    A second one does not wait.
    """
    pause = Calm()
    if threading.current_thread() is not threading.main_thread():
        yield pause
        return
    before = signal.signal(signal.SIGINT, pause.hear)
    try:
        yield pause
    finally:
        signal.signal(signal.SIGINT, before)
