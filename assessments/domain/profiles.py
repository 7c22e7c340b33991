"""The profile of a cluster from a JSON value."""

from __future__ import annotations

from assessments.domain.json_values import Field, Reader
from assessments.domain.matrix import Profile, Scope
from assessments.domain.practice_reading import KINDS, TAGS
from assessments.domain.problems import AnswerErrors

MAX_WORDS = 100


def parse_profile(raw: object) -> tuple[Profile, Scope | None]:
    """Profile and scope (None where not given) from `{"kinds": [...], "tags": [...], "scope": "quick"}`.

    `kinds` names `serve`, `train` or both; `tags` may be absent. Raises AnswerErrors with every problem.
    """
    reader = Reader()
    top = Field("profile", raw)
    entry = reader.mapping(top, ("kinds", "tags", "scope"))
    if entry is None:
        raise AnswerErrors(reader.problems)
    kinds = _words(reader, entry["kinds"], KINDS)
    if isinstance(entry["kinds"].value, list | None) and not entry["kinds"].value:
        reader.report(entry["kinds"], "missing", "must name serve, train or both")
    tags = _words(reader, entry["tags"], TAGS)
    scope = reader.choice(entry["scope"], tuple(Scope))
    if reader.problems:
        raise AnswerErrors(reader.problems)
    return Profile(kinds, tags), None if scope is None else Scope(scope)


def _words(reader: Reader, field: Field, allowed: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for each in reader.items(field, MAX_WORDS):
        if each.value is None:
            reader.report(each, "type", "must be a text, not null")
        word = reader.choice(each, sorted(allowed))
        if word in found:
            reader.report(each, "value", f"{word} is listed more than once")
        elif word is not None:
            found.add(word)
    return frozenset(found)
