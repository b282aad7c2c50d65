"""What docs/interop.md says is run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "interop.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL))
def test_python_blocks_run_and_print_what_they_say(code, tmp_path):
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert re.findall(r"^# (\S.*)$", code, flags=re.MULTILINE) == told.stdout.splitlines()
