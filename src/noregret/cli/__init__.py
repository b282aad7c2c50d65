"""The command line. `main` is the `noregret` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; `--version` answers before anything heavy is imported."""
    try:
        if sys.argv[1:] == ["--version"]:
            from noregret import __version__

            print(f"noregret {__version__}", flush=True)
            return
        from noregret.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # before the command had begun
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has gone
        sys.stdout = None
        sys.exit(0)
