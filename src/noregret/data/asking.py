"""What labels may need to be told, in the words of who reads them: Python, or a command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

_Label: TypeAlias = int | float | str


class Asker(NamedTuple):
    """How the options that say what labels are would be written."""

    in_python: bool
    classes: str  # what to do where labels are classes
    numbers: str  # what to do where they are numbers to be predicted

    def positive(self, value: _Label | None = None) -> str:
        """Name a label as the positive one."""
        if self.in_python:
            return "positive=VALUE" if value is None else f"positive={value!r}"
        return f"--positive {'VALUE' if value is None else _quoted(str(value))}"

    def not_a_pair(self, several: bool) -> str:
        """What is wrong with a number that is neither 1 nor −1 nor 0; `several`: nor one of two others."""
        if several:
            return (
                "a label is 1 or -1 (or 1 and 0), and there are more than two: for classes "
                f"{self.classes}, for numbers to be predicted {self.numbers}, for one against the rest say "
                f"{self.positive()}"
            )
        return (
            f"a label is 1 or -1 (or 1 and 0); for other pairs say which is positive: {self.positive()}; "
            f"for classes {self.classes}, for numbers to be predicted {self.numbers}"
        )

    def odd_word(self, met: Sequence[_Label]) -> str:
        """What is wrong with a label that is a word, where these labels were met."""
        if len(met) > 2:
            return (
                f"there are more than two labels: for classes {self.classes}, for one against the rest say "
                f"{self.positive(met[0])}, or another"
            )
        offers = " or ".join(self.positive(word) for word in met)
        return f"labels that are words need one that counts as positive: {offers}"


PYTHON = Asker(True, 'say task="multiclass"', 'say task="regression"')
RUN = Asker(
    False,
    "take --learner multiclass-perceptron or its kin",
    "take --learner ridge:bias=true or its kin",
)
CONVERT = Asker(False, "say --task multiclass", "say --task regression")


def _quoted(word: str) -> str:
    return word if word.replace(".", "").replace("-", "").replace("_", "").isalnum() else f"'{word}'"
