"""Loops that stand for a learner's own methods, and when they no longer do.

A learner of the core plays a whole matrix at once instead of predicting and learning row by row. A
subclass that changes one of these methods means what it says: then its rounds are played one by one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

STANDS_FOR = {
    "play_matrix": ("predict", "score", "learn"),
    "learn_late": ("learn",),
    "rehearse": ("learn",),
}


def has_loop(learner: Any, loop: str) -> bool:
    """Whether it has this loop, and no subclass changed what the loop stands for."""
    kind: Any = type(learner)
    return hasattr(learner, loop) and _is_current(kind, loop)


@lru_cache(maxsize=512)
def _is_current(kind: type, loop: str) -> bool:
    """Whether the loop was written in the same class as the methods it stands for, or after them."""
    written = _place(kind, loop)
    return all(written <= _place(kind, method) for method in STANDS_FOR[loop])


def _place(kind: type, name: str) -> int:
    """How far up the line of classes a method was written; beyond the end when none of them has it."""
    return next((place for place, one in enumerate(kind.__mro__) if name in vars(one)), len(kind.__mro__))
