"""The panel for people who do not want to choose: `auto`, the default of `noregret run`."""

from __future__ import annotations

from typing import ClassVar

from noregret.panel.panel import Panel

MEMBERS = (
    "perceptron:bias=true",
    "perceptron:bias=true,scale=standard",
    "perceptron:bias=true,scale=max",
    "perceptron:bias=true,scale=unit",
    "balanced-winnow",
    "majority",
    "last-label",
)


class Auto(Panel):
    """A panel of a dozen and more learners, scaled and not, and the baselines, under AdaHedge.

    >>> Auto().spec
    'auto'
    """

    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "a panel of many learners, scaled and not, with the baselines: nothing to choose"

    def __init__(self) -> None:
        """Take the usual members."""
        super().__init__(MEMBERS)

    @property
    def spec(self) -> str:
        """The one-line name."""
        return self.name
