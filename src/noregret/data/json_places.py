"""Where things stand in a line of JSON. Only who has to say what is wrong with one looks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

# A string, and whether it is a key; a bracket; a number or a word. Commas and colons say nothing.
_TOKEN = re.compile(r"""(?P<token>"(?:\\.|[^"\\])*"|[][{}]|[^][{}:,"\s]+)(?P<colon>\s*:)?""")
# A surrogate pair; or half of one, which is what is looked for; or any other escape.
_HALF = re.compile(r"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(?P<half>\\u[dD][89a-fA-F]\w\w)|\\.", re.DOTALL)
_SHOWN = 20  # characters of an object or a list


class Place(NamedTuple):
    """A key or a value of a line."""

    name: str  # of the key, behind those of the objects around it
    column: int  # from 1
    token: str  # as it is written; of an object or a list its beginning
    is_key: bool = False
    is_again: bool = False  # a key that its object has already
    depth: int = 0  # how many objects and lists are around it


def places(text: str) -> Iterator[Place]:
    """Yield the keys and values of a line in their order."""
    around: list[tuple[str, set[str]]] = []  # of each object and list: what its names begin with, its keys
    name = ""
    for found in _TOKEN.finditer(text):
        token, is_key, at = found["token"], found["colon"] is not None, found.start()
        if token in ("]", "}"):
            del around[-1:]
            continue
        before, keys = around[-1] if around else ("", set())
        name = before + _said(token) if is_key else name
        is_again = is_key and name in keys
        if is_key:
            keys.add(name)
        opens = token in ("[", "{")
        yield Place(name, at + 1, text[at : at + _SHOWN] if opens else token, is_key, is_again, len(around))
        if opens:
            around.append((f"{name}." if around else "", set()))


def half_a_pair(text: str) -> Place | None:
    """Find the first escape that is half of a surrogate pair, and no character."""
    halves = (found for found in _HALF.finditer(text) if found["half"])
    return next((Place("", found.start() + 1, found["half"]) for found in halves), None)


def _said(token: str) -> str:
    """What a string says."""
    try:
        return str(json.loads(token))
    except ValueError:
        return token
