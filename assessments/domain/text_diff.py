"""Two wordings of one text, cut into pieces that both have and pieces that differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

# Words and numbers stay whole; every other character, Chinese ones among them, is a token by itself.
_TOKEN = re.compile(r"[A-Za-z0-9_]+(?:[.,'’-][A-Za-z0-9_]+)*|\s+|.", re.DOTALL)
# A longer middle part counts as changed as a whole: matching takes the square of its length.
MOST_TOKENS = 120
# Texts that share less read better side by side than as a mosaic.
LEAST_ALIKE = 0.3

Pieces = tuple[tuple[str, bool], ...]


def pieces(before: str, after: str) -> tuple[Pieces, Pieces]:
    """Both texts as (part, whether the other lacks it); the parts of a side joined are that text."""
    if before == after:
        same = ((before, False),) if before else ()
        return same, same
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    blocks = [(0, 0, head)]
    if max(map(len, middle)) <= MOST_TOKENS:
        found = SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks()
        blocks += [(head + a, head + b, size) for a, b, size in found]
    blocks.append((len(old) - tail, len(new) - tail, tail))
    alike = sum(len(token) for a, _b, size in blocks for token in old[a : a + size] if not token.isspace())
    longest = max(len(before), len(after), 1)
    if alike < LEAST_ALIKE * longest:
        blocks = []
    one = _cut(old, [(a, size) for a, _b, size in blocks])
    return one, _cut(new, [(b, size) for _a, b, size in blocks])


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _cut(tokens: Sequence[str], same: Sequence[tuple[int, int]]) -> Pieces:
    """The tokens as parts: those of `same` (start, length) are shared, the ones between are not."""
    found: list[tuple[str, bool]] = []
    at = 0
    for start, size in [*same, (len(tokens), 0)]:
        for text, changed in (
            ("".join(tokens[at:start]), True),
            ("".join(tokens[start : start + size]), False),
        ):
            if text and found and found[-1][1] == changed:
                found[-1] = (found[-1][0] + text, changed)
            elif text:
                found.append((text, changed))
        at = start + size
    return tuple(found)
