"""The panel for people who do not want to choose: `auto`, the default of `noregret run`."""

from __future__ import annotations

from typing import ClassVar

from noregret.panel.panel import Panel

# Neighbours of one rule, bias and scale stand side by side.
MEMBERS = (
    "arow:ridge=1,bias=true",
    "arow:ridge=10,bias=true",
    "arow:ridge=1,bias=true,scale=max",
    "arow:ridge=10,bias=true,scale=max",
    "arow:ridge=1,bias=true,scale=standard",
    "scw1:C=0.1,bias=true",
    "scw1:bias=true",
    "adagrad:loss=logistic,rate=0.1,delta=0.01,bias=true",
    "adagrad:loss=logistic,rate=0.5,delta=0.01,bias=true",
    "adagrad:loss=logistic,rate=0.1,delta=0.01,bias=true,scale=max",
    "adagrad:loss=logistic,rate=0.5,delta=0.01,bias=true,scale=max",
    "adagrad:loss=squared-hinge,rate=2,delta=0.01,bias=true,scale=max",
    "adagrad:loss=logistic,rate=0.5,delta=0.01,bias=true,scale=standard",
    "ogd:loss=logistic,step=constant,rate=0.5,bias=true,scale=max",
    "ogd:loss=logistic,step=constant,rate=0.05,bias=true,scale=standard",
    "ogd:loss=logistic,step=constant,rate=0.5,bias=true,scale=standard",
    "pa2:C=0.1,bias=true,scale=max",
    "pa1:C=0.1,bias=true,scale=standard",
    "ftrl:alpha=10,bias=true,scale=max",
    "alma:bias=true,scale=standard",
    "perceptron:bias=true",
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
