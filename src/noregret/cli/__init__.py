"""The command line. `main` is the `noregret` command."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from noregret.cli import signals
from noregret.errors import reason


def main() -> None:
    """Run the command; `--version` answers before anything heavy is imported."""
    try:
        signals.listen()
        sys.stdout = _lasting(sys.stdout, _Lasting) if sys.stdout else _nowhere()
        sys.stderr = _lasting(sys.stderr, _Telling) if sys.stderr else _nowhere()
        status = _run()
        sys.stdout.flush()
    except KeyboardInterrupt:  # before the command had begun
        status = 130
    except OSError as problem:  # of standard output; every other has been told
        print(f"noregret: {problem.filename}: {reason(problem)}", file=sys.stderr)
        status = 1
    sys.exit(signals.status(status))


def _run() -> int:
    if sys.argv[1:] == ["--version"]:
        from noregret import __version__

        print(f"noregret {__version__}")
        return 0
    from noregret.cli.app import run

    return run()


def _nowhere() -> Any:
    """Stand for an output that was closed before the command began."""
    return io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")


class _Lasting(io.TextIOWrapper):
    """Standard output that goes on when whoever read it has gone: the work and its files still count.

    The layers below are Python's own: an interrupt between their steps writes nothing twice.
    """

    def write(self, text: str) -> int:
        """Write, to nowhere if need be."""
        try:
            return super().write(text)
        except OSError as problem:
            self._give_up(problem)
            return len(text)

    def flush(self) -> None:
        """Hand on what was written, to nowhere if need be."""
        try:
            super().flush()
        except OSError as problem:
            self._give_up(problem)

    def _give_up(self, problem: OSError) -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise OSError(problem.errno, problem.strerror, "standard output") from None


class _Telling(_Lasting):
    """Standard error, which goes on whatever befalls it: there is nowhere else to tell."""

    def _give_up(self, problem: OSError) -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())


def _lasting(output: Any, kind: type[_Lasting]) -> Any:
    """Wrap an output; characters that its alphabet does not have are written as their numbers."""
    return kind(
        io.BufferedWriter(io.FileIO(output.fileno(), "w", closefd=False)),
        encoding=output.encoding,
        errors="backslashreplace",
        line_buffering=output.line_buffering,
    )
