"""The panel for people who do not want to choose: `auto`, the default of `noregret run`."""

from __future__ import annotations

from typing import ClassVar

from noregret.panel.panel import Panel
from noregret.parameters import Parameter

# Three families of four or five, which stand side by side, and some that cost next to nothing.
MEMBERS = (
    *(f"arow:ridge={ridge},bias=true" for ridge in (0.1, 1, 10, 100)),
    *(f"adagrad:loss=logistic,rate={rate},delta=0.01,bias=true" for rate in (0.1, 0.2, 0.5, 1)),
    *(f"pa2:C={price},bias=true,scale=rms" for price in (0.001, 0.005, 0.02, 0.1, 0.5)),
    "perceptron:bias=true",
    "balanced-winnow",
    "majority",
    "last-label",
)


class Auto(Panel):
    """A panel for two classes: a dozen and more learners, scaled and not, and the baselines, under AdaHedge.

    >>> Auto().spec
    'auto'
    """

    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "two classes: a panel of many learners, scaled and not, with the baselines"
    accepts: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(self) -> None:
        """Take the usual members."""
        super().__init__(MEMBERS)

    @property
    def spec(self) -> str:
        """The one-line name."""
        return self.name
