"""The command line. `main` is the `noregret` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; `--version` answers before anything heavy is imported."""
    if sys.argv[1:] == ["--version"]:
        from noregret import __version__

        print(f"noregret {__version__}")
        return
    from noregret.cli.app import run

    sys.exit(run())
