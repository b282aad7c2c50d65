"""The progress bar: on a terminal only, and on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from noregret.ledger import Ledger
from noregret.rounds import Batch


def working(what: str, quiet: bool) -> AbstractContextManager[object]:
    """Show that something goes on, on a terminal."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    return Console(stderr=True).status(f"{what} …")


class RunProgress:
    """Shows rows per second, megabytes per second and mistakes so far."""

    def __init__(self, total: int | None, unit: str, quiet: bool) -> None:
        """`total` counts bytes or rows, as `unit` says; None when nobody knows."""
        self.bytes = unit == "bytes"
        self.began = time.perf_counter()
        self.read = 0
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=quiet or not sys.stderr.isatty(),
        )
        self.task = self.bar.add_task("reading", total=total)

    def __enter__(self) -> RunProgress:
        """Start the bar."""
        self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self.bar.stop()

    def batch(self, batch: Batch, ledgers: Sequence[Ledger]) -> None:
        """Move on by a batch."""
        self.read += batch.consumed
        seconds = max(time.perf_counter() - self.began, 1e-9)
        least = min((ledger.mistakes for ledger in ledgers), default=0)
        rows = ledgers[0].rounds if ledgers else 0
        speed = f"{rows / seconds:,.0f} rows/s" + (
            f", {self.read / seconds / 1e6:,.0f} MB/s" if self.bytes else ""
        )
        self.bar.update(
            self.task,
            completed=self.read if self.bytes else rows,
            description=f"{rows:,} rows, {least:,} mistakes, {speed}",
        )
