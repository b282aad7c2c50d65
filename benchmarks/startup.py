"""How long a user waits before anything happens: `import noregret` and the command line.

Everything is a fresh process of this Python, and is held against `python -c "import numpy"`,
which nothing that works on arrays can do without. `import noregret` imports what it needs when it
is first used, so the time until there is a learner is shown as well.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

from side_by_side import Line, Work, arguments, cost, interleave, repeats, report

NUMPY = "import numpy"
IMPORTS = {"import noregret": "import noregret", "a learner": "import noregret; noregret.Perceptron()"}
COMMANDS = ("--version", "--help")


def main() -> None:
    """Start processes, measure, print."""
    options = arguments(__doc__, repeats=21, quick_repeats=3).parse_args()
    works: dict[str, Work] = {NUMPY: _process([sys.executable, "-c", NUMPY])}
    for name, code in IMPORTS.items():
        works[name] = _process([sys.executable, "-c", code])
    lines = [
        Line("import noregret", "import noregret", NUMPY, cost(1.5)),
        Line("import noregret; noregret.Perceptron()", "a learner", NUMPY, cost(1.5)),
    ]
    script = _console_script()
    for command in COMMANDS if script else ():
        works[command] = _process([str(script), command])
        lines.append(Line(f"noregret {command}", command, NUMPY, cost(2.0)))
    print(f'against python -c "import numpy", {repeats(options)} repeats')
    report(interleave(works, repeats(options)), lines, options)
    if script is None:
        print("the console script `noregret` of this environment is missing or fails; it was not measured")


def _process(command: list[str]) -> Work:
    return lambda: subprocess.run(command, check=True, capture_output=True)


def _console_script() -> Path | None:
    """Find the command that was installed beside this Python, if it works."""
    script = Path(sysconfig.get_path("scripts")) / "noregret"
    if not script.exists() or subprocess.run([script, "--version"], capture_output=True).returncode != 0:
        return None
    return script


if __name__ == "__main__":
    main()
