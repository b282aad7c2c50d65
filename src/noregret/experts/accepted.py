"""The parameters that expert rules share: how they are declared, read, and written into a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noregret.errors import BadParameter
from noregret.parameters import Parameter, positive, written

N = Parameter("n", None, "how many experts there are")
LOSS = Parameter(
    "loss", "square", "square, absolute, percentage, log, pinball, zero-one, or a function in Python"
)
GRADIENT = Parameter(
    "gradient", "auto", "whether losses are made linear at the prediction: auto, where they can be"
)
MOST = 100_000_000  # experts


def count_of(n: Any) -> int:
    """Read the number of experts."""
    count = positive("n", n)
    if count != int(count) or count > MOST:
        raise BadParameter(f"n is {n}; the number of experts is a whole number, at most {MOST:,}")
    return int(count)


def on_or_off(value: bool | str) -> bool | str:
    """Read true, false or auto, the way specs write them."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "auto": "auto"}
    read = words.get(value.lower()) if isinstance(value, str) else value
    if not (isinstance(read, bool) or read == "auto"):
        raise BadParameter(f"gradient is {value!r}; it must be true, false or auto")
    return read


def spec_of(name: str, accepts: Sequence[Parameter], given: Mapping[str, Any], skip: str = "") -> str:
    """Write a name and the parameters that are not the default, but for the one to skip."""
    told = [
        f"{p.name}={_text(given[p.name])}" for p in accepts if p.name != skip and given[p.name] != p.default
    ]
    return ":".join([name, ",".join(told)]) if told else name


def _text(value: Any) -> str:
    if callable(value):
        return str(getattr(value, "__name__", "function"))
    return value if isinstance(value, str) else written(value)
