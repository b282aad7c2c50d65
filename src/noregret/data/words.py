"""Text to features: the words in it."""

from __future__ import annotations

from noregret import _core


def words(column: str, text: str) -> list[tuple[str, float]]:
    """List the words of a text in lower case, as features column=word, as often as they stand there."""
    return [(f"{column}={word}", 1.0) for word in _core.words(text)]
