"""How data is read: what the user said about its columns, kept beside the model."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any

from noregret.errors import BadCommand, BadModel, BadParameter

MOST_BITS = 30
KINDS = ("numeric", "categorical", "text", "drop")
_DAMAGED = "what it says about how its data was read is damaged"


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
        if self.bits is not None and not 1 <= self.bits <= MOST_BITS:
            raise BadParameter(f"bits is {self.bits}; it is from 1 to {MOST_BITS}")
        if self.label is not None and self.label in self.kinds:
            raise BadParameter(f"column '{self.label}' is named as label and as {self.kinds[self.label]}")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise BadParameter(f"there is no encoding called '{self.encoding}'; one is latin-1") from None

    def after(self, before: Reading) -> Reading:
        """Add what a model remembers; saying something else than it does is an error."""
        for name, kind in self.kinds.items():
            if before.kinds.get(name, kind) != kind:
                raise _conflict(f"column '{name}' as {before.kinds[name]}", f"--{kind} {name}")
        merged = replace(before, kinds={**before.kinds, **self.kinds})
        for name in ("label", "bits", "header", "encoding"):
            said, kept = getattr(self, name), getattr(before, name)
            if said is not None and kept is not None and said != kept and name != "encoding":
                raise _conflict(f"{name} {kept}", f"{name} {said}")
            if said is not None:
                merged = replace(merged, **{name: said})
        return merged

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


def kinds_of(**kinds: Sequence[str]) -> dict[str, str]:
    """Give each column its kind, from lists of columns: numeric=…, categorical=…, text=…, drop=…."""
    kind_of: dict[str, str] = {}
    for kind, names in kinds.items():
        for name in [names] if isinstance(names, str) else names:
            if kind_of.setdefault(name, kind) != kind:
                raise BadParameter(f"column '{name}' is named as {kind_of[name]} and as {kind}; choose one")
    return kind_of


def _conflict(kept: str, said: str) -> BadCommand:
    return BadCommand(f"the model was learned with {kept}, and the command says {said}; leave that out")


def nearest(name: str, names: Sequence[str]) -> str:
    """Offer the names that are like one that is not there."""
    close = get_close_matches(name, names, 1, 0.5) or [n for n in names if n.lower() == name.lower()][:1]
    listed = few(names)
    return f"did you mean '{close[0]}'? It has {listed}" if close else f"it has {listed}"


def few(names: Sequence[str]) -> str:
    """List some of the names, none of them long."""
    short = [name if len(name) <= 30 else name[:29] + "…" for name in names[:12]]
    return ", ".join(short) + (", …" if len(names) > 12 else "")
