"""The content of a matrix as a tree in which everything knows where it was written.

A tree comes from YAML, JSON or a spreadsheet and can be changed by an overlay. Written out as YAML it goes
through the one loader, whose line numbers then lead back to the line or cell of the source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

_PLAIN_KEY = re.compile(r"[a-z][a-z0-9_]*")
# Words that YAML 1.1 reads as true or false.
_SPECIAL = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
# What YAML calls unprintable or a line break although JSON leaves it as it is.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A single value; `plain` where it was written without quotes (a number, true, null)."""

    text: str
    plain: bool
    place: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Tree, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """A mapping in its order; a key written twice is kept twice, so that the loader can refuse it."""

    pairs: tuple[tuple[Leaf, Tree], ...]
    place: str

    def get(self, key: str) -> Tree | None:
        """The value of a key, or None."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def keys(self) -> tuple[str, ...]:
        """The keys in their order."""
        return tuple(name.text for name, _value in self.pairs)

    def with_(self, key: str, value: Tree) -> Pairs:
        """The mapping with a key set: in its place where it exists, at the end otherwise."""
        if self.get(key) is None:
            return replace(self, pairs=(*self.pairs, (Leaf(key, False, value.place), value)))
        return replace(
            self, pairs=tuple((name, value if name.text == key else old) for name, old in self.pairs)
        )

    def without(self, key: str) -> Pairs:
        """The mapping without a key."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair[0].text != key))


Tree: TypeAlias = Leaf | Items | Pairs


def tree_of(value: Any, place: str) -> Tree:
    """A tree of plain values (mappings, lists, texts, numbers, booleans, None), all at one place.

    Raises TypeError for anything else.
    """
    if isinstance(value, Leaf | Items | Pairs):
        return value
    if isinstance(value, Mapping):
        pairs = tuple((Leaf(str(key), False, place), tree_of(each, place)) for key, each in value.items())
        return Pairs(pairs, place)
    if isinstance(value, list | tuple):
        return Items(tuple(tree_of(each, place) for each in value), place)
    if isinstance(value, str):
        return Leaf(value, False, place)
    if value is None or isinstance(value, bool | int | float):
        return Leaf(json.dumps(value), True, place)
    raise TypeError(f"no tree of {type(value).__name__}")


def plain_value(tree: Tree) -> Any:
    """The tree as plain values; numbers, booleans and null are what JSON makes of them."""
    if isinstance(tree, Pairs):
        return {name.text: plain_value(value) for name, value in tree.pairs}
    if isinstance(tree, Items):
        return [plain_value(each) for each in tree.items]
    if not tree.plain:
        return tree.text
    if tree.text in ("", "~", "null"):
        return None
    try:
        return json.loads(tree.text)
    except ValueError:
        return tree.text


def text_of(tree: Tree | None) -> str:
    """The text of a leaf, or an empty one for anything else."""
    return tree.text if isinstance(tree, Leaf) else ""


def items_of(tree: Tree | None) -> tuple[Tree, ...]:
    """The items of a list, or none for anything else."""
    return tree.items if isinstance(tree, Items) else ()


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Every key and value of a tree."""
    if isinstance(tree, Leaf):
        yield tree
    elif isinstance(tree, Items):
        for each in tree.items:
            yield from leaves(each)
    else:
        for name, value in tree.pairs:
            yield name
            yield from leaves(value)


@dataclass(frozen=True, slots=True)
class Written:
    """A tree as YAML text; `places[n]` is where line n + 1 comes from."""

    text: str
    places: tuple[str, ...]


def write(tree: Tree) -> Written:
    """The tree as block YAML with one value per line; the same tree gives the same text."""
    lines = list(_lines(tree))
    return Written("".join(f"{text}\n" for text, _place in lines), tuple(place for _text, place in lines))


def quote(text: str) -> str:
    """A text in double quotes that YAML and JSON read alike."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(text, ensure_ascii=False))


def _leaf(leaf: Leaf) -> str:
    if not leaf.plain:
        return quote(leaf.text)
    return leaf.text or "null"


def _key(leaf: Leaf) -> str:
    if leaf.plain or (_PLAIN_KEY.fullmatch(leaf.text) and leaf.text not in _SPECIAL):
        return leaf.text or "null"
    return quote(leaf.text)


def _lines(tree: Tree) -> Iterator[tuple[str, str]]:
    if isinstance(tree, Leaf):
        yield _leaf(tree), tree.place
    elif isinstance(tree, Items):
        if not tree.items:
            yield "[]", tree.place
        for each in tree.items:
            for number, (line, place) in enumerate(_lines(each)):
                yield ("- " if number == 0 else "  ") + line, place
    else:
        if not tree.pairs:
            yield "{}", tree.place
        for name, value in tree.pairs:
            yield from _pair(name, value)


def _pair(name: Leaf, value: Tree) -> Iterator[tuple[str, str]]:
    inner: Sequence[Any] = (
        () if isinstance(value, Leaf) else value.items if isinstance(value, Items) else value.pairs
    )
    if isinstance(value, Leaf) or not inner:
        line, place = next(_lines(value))
        yield f"{_key(name)}: {line}", place
        return
    yield f"{_key(name)}:", name.place
    for line, place in _lines(value):
        yield f"  {line}", place
