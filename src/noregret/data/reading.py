"""How data is read: what the user said about its columns, kept beside the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any

from noregret.data.features import require_bits
from noregret.errors import BadCommand, BadModel, BadParameter

KINDS = ("numeric", "categorical", "text", "drop")
_DAMAGED = "what it says about how its data was read is damaged"


@dataclass(frozen=True)
class Memory:
    """Who remembers how data was read, and who may say something else."""

    made: str = "the model was learned"
    speaker: str = "the command"

    def conflict(self, kept: str, said: str) -> BadCommand:
        """Tell both sides."""
        return BadCommand(f"{self.made} {kept}, and {self.speaker} says {said}; leave that out")


@dataclass(frozen=True)
class Reading:
    """Which column is the label, and what kind the others are; what is not said is found in the data.

    `bits` hashes the names of features into 2^bits numbers; without it names are kept.
    """

    label: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)  # by column: numeric, categorical, text or drop
    bits: int | None = None
    header: bool | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.bits is not None:
            require_bits(self.bits)
        if self.label is not None and self.label in self.kinds:
            raise BadParameter(f"column '{self.label}' is named as label and as {self.kinds[self.label]}")
        if self.encoding is not None and not _is_of_text(self.encoding):
            raise BadParameter(f"there is no encoding of text called '{self.encoding}'; one is latin-1")

    def after(self, before: Reading, memory: Memory | None = None) -> Reading:
        """Add what a model or a file remembers; saying something else than it does is an error."""
        memory = memory or Memory()
        for name, kind in self.kinds.items():
            if before.kinds.get(name, kind) != kind:
                raise memory.conflict(f"with column '{name}' as {before.kinds[name]}", f"--{kind} {name}")
        merged = replace(before, kinds={**before.kinds, **self.kinds})
        for name in ("label", "bits", "header", "encoding"):
            said, kept = getattr(self, name), getattr(before, name)
            differs = said is not None and said != kept and name != "encoding"
            if differs and (kept is not None or name == "bits"):
                raise memory.conflict(_told(name, kept), f"{name} {said}")
            if said is not None:
                merged = replace(merged, **{name: said})
        return merged

    def require_within(self, kept: Reading, memory: Memory) -> None:
        """Refuse what says more than a file remembers: its rows cannot be read in another way."""
        for name, kind in self.kinds.items():
            if name not in kept.kinds:
                raise memory.conflict(f"without a column '{name}'", f"--{kind} {name}")
        for name in ("label", "bits", "header", "encoding"):
            said, known = getattr(self, name), getattr(kept, name)
            if said is not None and said != known:
                raise memory.conflict(_told(name, known), f"{name} {said}")

    @property
    def options(self) -> dict[str, str]:
        """What is said, by field, each as the option that says it."""
        said = {"kinds": f"--{next(iter(self.kinds.values()))}"} if self.kinds else {}
        plain = [name for name in ("label", "bits", "encoding") if getattr(self, name) is not None]
        header = {} if self.header is None else {"header": "--header" if self.header else "--no-header"}
        return said | {name: f"--{name}" for name in plain} | header

    def as_json(self) -> dict[str, Any]:
        """Give it as plain data, for the model file."""
        return asdict(self)

    @staticmethod
    def from_json(data: Any) -> Reading:
        """Read what as_json wrote."""
        if not isinstance(data, dict) or not set(data) <= {one.name for one in fields(Reading)}:
            raise BadModel(_DAMAGED)
        texts, kinds = (data.get("label"), data.get("encoding")), data.get("kinds", {})
        good = all(text is None or isinstance(text, str) for text in texts)
        good = good and isinstance(kinds, dict) and all(kind in KINDS for kind in kinds.values())
        good = good and type(data.get("bits")) in (int, type(None))
        if not good or type(data.get("header")) not in (bool, type(None)):
            raise BadModel(_DAMAGED)
        try:
            return Reading(texts[0], kinds, data.get("bits"), data.get("header"), texts[1])
        except BadParameter as problem:
            raise BadModel(f"{_DAMAGED} ({problem})") from None


def kinds_of(**kinds: Sequence[str | int]) -> dict[str, str]:
    """Give each column its kind, from lists of columns: numeric=…, categorical=…, text=…, drop=….

    pandas may call columns by numbers, which Arrow spells.
    """
    kind_of: dict[str, str] = {}
    for kind, names in kinds.items():
        for name in map(str, [names] if isinstance(names, str) else names):
            if kind_of.setdefault(name, kind) != kind:
                raise BadParameter(f"column '{name}' is named as {kind_of[name]} and as {kind}; choose one")
    return kind_of


def _told(name: str, kept: Any) -> str:
    return f"without {name}" if kept is None else f"with {name} {kept}"


def _is_of_text(encoding: str) -> bool:
    """Whether there is such an encoding and it is one of text, which hex and rot13 are not."""
    try:
        b"text".decode(encoding)
    except UnicodeDecodeError:
        return True  # of other text than this
    except (LookupError, ValueError):
        return False
    return True


def nearest(name: str, names: Sequence[str]) -> str:
    """Offer the names that are like one that is not there."""
    close = get_close_matches(name, names, 1, 0.5) or [n for n in names if n.lower() == name.lower()][:1]
    listed = few(names)
    return f"did you mean '{close[0]}'? It has {listed}" if close else f"it has {listed}"


def few(names: Sequence[str]) -> str:
    """List some of the names, none of them long."""
    return ", ".join(printable(name, 30) for name in names[:12]) + (", …" if len(names) > 12 else "")


def printable(text: str, most: int = 60) -> str:
    """Make a token safe to show, in a line, and short."""
    short = text if len(text) <= most else text[:most] + "…"
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in short)
