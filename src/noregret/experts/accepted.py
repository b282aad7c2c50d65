"""The parameters that expert rules share: how they are declared and read."""

from __future__ import annotations

from noregret.errors import BadParameter
from noregret.parameters import Parameter

N = Parameter("n", None, "how many experts there are")
LOSS = Parameter(
    "loss", "square", "square, absolute, percentage, log, pinball, zero-one, or a function in Python"
)
GRADIENT = Parameter(
    "gradient", "auto", "whether losses are made linear at the prediction: auto, where they can be"
)
MOST = 100_000_000  # experts


def on_or_off(value: bool | str) -> bool | str:
    """Read true, false or auto, the way specs write them."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "auto": "auto"}
    read = words.get(value.lower()) if isinstance(value, str) else value
    if not (isinstance(read, bool) or read == "auto"):
        raise BadParameter(f"gradient is {value!r}; it must be true, false or auto")
    return read
