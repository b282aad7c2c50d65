"""The command line. `main` is the `noregret` command."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


def main() -> None:
    """Run the command; `--version` answers before anything heavy is imported."""
    try:
        sys.stdout = _lasting(sys.stdout)
        if sys.argv[1:] == ["--version"]:
            from noregret import __version__

            print(f"noregret {__version__}", flush=True)
            return
        from noregret.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # before the command had begun
        sys.exit(130)


class _Lasting(io.FileIO):
    """Standard output that goes on when whoever read it has gone: the work and its files still count."""

    def write(self, data: Any) -> int:
        """Write, to nowhere if need be."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return memoryview(data).nbytes


def _lasting(output: Any) -> Any:
    raw = _Lasting(output.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=output.encoding,
        errors=output.errors,
        line_buffering=output.line_buffering,
    )
