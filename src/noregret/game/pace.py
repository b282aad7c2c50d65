"""How many rounds are played before somebody looks up: to show progress, or because of Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator

from noregret.rounds import Batch

FIRST = 1 << 10  # rounds, before it is known how long one takes
PATIENCE = 0.2  # seconds
_BLINK = 1e-6


def paced(batches: Iterator[Batch]) -> Generator[Batch, None, None]:
    """Yield the same rounds, in parts that whoever asks for them is done with in a moment.

    A batch is measured in rows or bytes, and a learner may take a hundred nanoseconds or a hundred
    milliseconds for one of its rows. How long the last part took says how long the next may be.
    """
    rounds = FIRST
    for batch in batches:
        begin = 0
        while begin < len(batch):
            end = min(begin + rounds, len(batch))
            began = time.perf_counter()
            yield batch.part(begin, end)
            pace = (end - begin) / max(time.perf_counter() - began, _BLINK)
            rounds = max(1, int(pace * PATIENCE))
            begin = end
