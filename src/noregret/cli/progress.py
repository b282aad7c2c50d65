"""The progress bar: on a terminal only, and on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from noregret.ledger import Ledger
    from noregret.rounds import Batch


def working(what: str, quiet: bool) -> AbstractContextManager[object]:
    """Show that something goes on, on a terminal."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    return Console(stderr=True).status(f"{what} …")


class RunProgress:
    """Shows rows per second, megabytes per second and mistakes so far."""

    def __init__(self, total: int | None, unit: str, quiet: bool, every: int | None = None) -> None:
        """`total` counts bytes or rows, as `unit` says; None when nobody knows.

        With `every`, a line is printed after so many rounds instead, as a log wants it.
        """
        self.total = total
        self.every = every
        self.told = 0
        self.bytes = unit == "bytes"
        self.began = time.perf_counter()
        self.read = 0
        self.rows = 0
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=quiet or every is not None or not sys.stderr.isatty(),
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
        if not self.bar.disable:  # older versions of rich would end with an empty line
            self.bar.stop()

    def batch(self, batch: Batch, ledgers: Sequence[Ledger]) -> None:
        """Move on by a batch."""
        self.read += batch.consumed
        self.rows += len(batch)
        done = self.read if self.bytes else self.rows
        if self.every is not None and self.rows // self.every > self.told:
            self.told = self.rows // self.every
            with suppress(OSError):  # the terminal may be gone: that is no reason to stop
                print(f"{self._line(ledgers)}{self._left(done)}", file=sys.stderr, flush=True)
        self.bar.update(self.task, completed=done, description=self._line(ledgers))

    def _line(self, ledgers: Sequence[Ledger]) -> str:
        seconds = max(time.perf_counter() - self.began, 1e-9)
        words = [f"{self.rows:,} rows"]
        if ledgers:
            words.append(_best(ledgers))
        words.append(f"{self.rows / seconds:,.0f} rows/s")
        if self.bytes:
            words.append(f"{self.read / seconds / 1e6:,.0f} MB/s")
        return ", ".join(words)

    def _left(self, done: int) -> str:
        """How long it will take, for a line; the bar has it already."""
        if not self.total or not done:
            return ""
        seconds = (time.perf_counter() - self.began) * max(self.total - done, 0) / done
        return f", {seconds:,.0f} s left"


class JudgingProgress:
    """Shows how far the second reading of the rows is, on a terminal."""

    def __init__(self, total: int | None, unit: str, quiet: bool) -> None:
        """`total` counts bytes or rows, as `unit` says."""
        self._bytes = unit == "bytes"
        self._done = 0
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            console=Console(stderr=True),
            transient=True,
            disable=quiet or not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("judging", total=total)

    def __enter__(self) -> JudgingProgress:
        """Start the bar."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if not self._bar.disable:
            self._bar.stop()

    def batch(self, batch: Batch) -> None:
        """Move on by a batch."""
        self._done += batch.consumed if self._bytes else len(batch)
        self._bar.update(self._task, completed=self._done)


def _best(ledgers: Sequence[Ledger]) -> str:
    errors = [ledger.rmse for ledger in ledgers if ledger.rmse is not None]
    if errors:
        return f"RMSE {min(errors):.4g}"
    return f"{min(ledger.mistakes for ledger in ledgers):,} mistakes"
