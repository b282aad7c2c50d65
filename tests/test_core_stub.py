"""_core.pyi is generated: it says what the compiled core has, no more and no less."""

from pathlib import Path

from nanobind.stubgen import StubGen

import noregret
from noregret import _core


def test_stub_matches_the_compiled_core():
    generator = StubGen(_core)
    generator.put(_core)
    written = (Path(noregret.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    assert generator.get().strip() == written.strip(), "run scripts/stubs"
