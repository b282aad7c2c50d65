"""Parameters of learners: how they are named, checked and written."""

from __future__ import annotations

import difflib
import inspect
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar, NamedTuple, NoReturn

from noregret.errors import BadParameter, ReadOnly

EXACT = 2**53 - 1  # as far as every whole number is a double
_MISSING = object()


class Parameter(NamedTuple):
    """A parameter of a learner, for help and for specs."""

    name: str
    default: float | bool | str | None
    meaning: str


class ReadOnlyParameters:
    """Base class of everything whose parameters are fixed at construction.

    The core, and what was drawn from a seed, have copies of the parameters: a new value would change the spec
    and the theorems, and not the computation. An attribute named in `accepts` or `read_only` can be set once,
    in `__init__`; a subclass may add names of its own.
    """

    accepts: ClassVar[tuple[Parameter, ...]] = ()
    read_only: ClassVar[tuple[str, ...]] = ()  # names besides the parameters

    def __init_subclass__(cls, **given: Any) -> None:
        """Make properties of the names: they cost nothing where another attribute is set."""
        super().__init_subclass__(**given)
        kinds = [kind for kind in cls.__mro__ if issubclass(kind, ReadOnlyParameters)]
        meanings = {one.name: one.meaning for kind in reversed(kinds) for one in kind.accepts}
        for name in {*meanings, *(name for kind in kinds for name in kind.read_only)}:
            found = inspect.getattr_static(cls, name, _MISSING)
            if not hasattr(found, "__get__"):
                setattr(cls, name, _set_once(name, meanings.get(name), found))
            elif isinstance(found, property) and found.fset is None:
                refuse = _refuse(name)
                setattr(cls, name, found.setter(refuse).deleter(refuse))

    def _replace(self, name: str, value: Any) -> None:
        """Set a read-only attribute again, of a copy that is being made."""
        setattr(self, _stored(name), value)


def _stored(name: str) -> str:
    return f"_parameter_{name}"


def _set_once(name: str, meaning: str | None, default: Any) -> property:
    """A property that can be set once. Without a default it is read by the interpreter, not by a function."""
    stored, refuse = _stored(name), _refuse(name)

    def get(owner: Any) -> Any:
        return getattr(owner, stored, default)

    def set_first(owner: Any, value: Any) -> None:
        if hasattr(owner, stored):
            refuse(owner)
        setattr(owner, stored, value)

    return property(operator.attrgetter(stored) if default is _MISSING else get, set_first, refuse, meaning)


def _refuse(name: str) -> Callable[..., NoReturn]:
    def refuse(owner: Any, *_: Any) -> NoReturn:
        kind = type(owner).__name__
        raise ReadOnly(f"{name} of {kind} is fixed at construction; make a new {kind} with another {name}")

    return refuse


def positive(name: str, value: float) -> float:
    """Check a number that must be above 0 and finite."""
    return within(name, value, 0.0, math.inf)


def within(name: str, value: float, low: float, high: float) -> float:
    """Check a number that must lie strictly between two others."""
    number = _number(value)
    if not (low < number < high):
        asked = f"above {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}"
        raise BadParameter(f"{name} is {value!r}; it must be a finite number {asked}")
    return number


def not_negative(name: str, value: float) -> float:
    """Check a number that must be 0 or more, and finite."""
    number = _number(value)
    if not 0.0 <= number < math.inf:
        raise BadParameter(f"{name} is {value!r}; it must be a finite number, 0 or more")
    return number


def _number(value: Any) -> float:
    """Read a number, Python's or numpy's; NaN for what is none, text among it."""
    try:
        return math.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def whole(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> int:
    """Check a whole number that may be a float, which it is in a spec, and that may have limits."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and least <= value <= most and abs(value) < math.inf and int(value) == value):
        limits = f" from {least} to {most:,}" if most < math.inf else f", {least} or more"
        asked = "a whole number" + (limits if least > -math.inf else "")
        raise BadParameter(f"{name} is {value!r}; it must be {asked}")
    return int(value)


def count(name: str, value: Any, least: int = 0) -> int:
    """Check how many there are: a whole number, of Python's or numpy's, and not a float."""
    try:
        found = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        found = -1
    if found < least:
        raise BadParameter(f"{name} is {value!r}; it must be a whole number, {least} or more")
    return found


def flag(name: str, value: bool) -> bool:
    """Check a yes or no."""
    if not isinstance(value, bool):
        raise BadParameter(f"{name} is {value!r}; it must be true or false")
    return value


def one_of(name: str, value: str, choices: Sequence[str]) -> str:
    """Check a word that must be one of several; the nearest are offered."""
    if value not in choices:
        near = difflib.get_close_matches(str(value), choices, n=2, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
        raise BadParameter(f"{name} is {value!r}; {hint}it must be {listed}")
    return value


def name_of(spec: str) -> str:
    """The name in front of a spec."""
    return str(spec).partition(":")[0].strip()


def parameters_of(spec: str, accepts: Sequence[Parameter]) -> dict[str, Any]:
    """Read the parameters behind the name of a spec."""
    name, _, text = spec.partition(":")
    known = {parameter.name: parameter for parameter in accepts}
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            raise BadParameter(f"in '{spec}': {_expected(name.strip(), known, part)}")
        if key in given:
            raise BadParameter(f"in '{spec}': {key} is given twice")
        given[key] = _value(spec, known[key], value)
    return given


def _expected(name: str, known: dict[str, Parameter], part: str) -> str:
    if not known:
        return f"{name} has no parameters, and was given '{part}'"
    return f"'{part}' is not a parameter of {name}; write " + " or ".join(f"{key}=…" for key in known)


def _value(spec: str, parameter: Parameter, text: str) -> float | bool | str | None:
    if isinstance(parameter.default, str):
        return text
    if isinstance(parameter.default, bool):
        if text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        raise BadParameter(f"in '{spec}': {parameter.name} is '{text}'; it must be true or false")
    if parameter.default is None and text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise BadParameter(f"in '{spec}': {parameter.name} is '{text}'; it must be a number") from None


def spec_of(name: str, accepts: Sequence[Parameter], given: Mapping[str, Any], skip: str = "") -> str:
    """Write a name and the parameters that are not the default, but for the one to skip."""
    told = [
        f"{p.name}={written(given[p.name])}" for p in accepts if p.name != skip and given[p.name] != p.default
    ]
    return ":".join([name, ",".join(told)]) if told else name


def written(value: Any) -> str:
    """Write a parameter the way a spec has it, to its last digit; a function by its name."""
    if isinstance(value, str):
        return value
    if callable(value):
        return str(getattr(value, "__name__", "function"))
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
