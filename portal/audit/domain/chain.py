"""A chain of entries: each carries the SHA-256 of its content and of the entry before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

START = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """What one entry says, without its own hash. `detail` is JSON; `at` carries a time zone."""

    organisation_id: str
    sequence: int
    at: datetime
    actor_id: str
    actor_label: str
    action: str
    object_type: str
    object_id: str
    detail: Any
    previous_hash: str


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The outcome of a check.

    `checked` counts the entries read; `first_broken` is the sequence of the first link that does not hold
    and `reason` its machine code (`gap`, `link`, `content`, `head`, `beyond_head`). `head` is the hash to
    keep outside: only somebody who noted it can notice that a whole chain was written anew.
    """

    ok: bool
    checked: int
    first_broken: int | None
    reason: str
    head: str


def canonical(value: Any) -> str:
    """JSON text that every database gives back alike: sorted keys, no spaces, whole floats as integers.

    PostgreSQL's jsonb reorders keys and writes 1e22 as 10000000000000000000000; both vanish here.
    Raises ValueError for NaN and infinity, TypeError for what JSON cannot hold.
    """
    return json.dumps(
        _plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def link_hash(link: Link) -> str:
    """SHA-256, 64 hex digits, of the canonical JSON of all fields including the previous hash."""
    content = {
        "organisation": link.organisation_id,
        "sequence": link.sequence,
        "at": link.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor_id": link.actor_id,
        "actor_label": link.actor_label,
        "action": link.action,
        "object_type": link.object_type,
        "object_id": link.object_id,
        "detail": link.detail,
        "previous": link.previous_hash,
    }
    return hashlib.sha256(canonical(content).encode("utf-8")).hexdigest()


def check(links: Iterable[tuple[Link, str]], *, head_sequence: int, head_hash: str) -> ChainResult:
    """Walk `(link, stored hash)` in order of sequence and compare the end with the head.

    Stops at the first link that does not hold. An empty chain with an untouched head is whole.
    """
    checked, previous = 0, START

    def broken(sequence: int, reason: str) -> ChainResult:
        return ChainResult(False, checked, sequence, reason, head_hash)

    for link, stored in links:
        checked += 1
        if link.sequence > head_sequence:
            return broken(link.sequence, "beyond_head")
        if link.sequence != checked:
            return broken(checked, "gap")
        if link.previous_hash != previous:
            return broken(link.sequence, "link")
        if link_hash(link) != stored:
            return broken(link.sequence, "content")
        previous = stored
    if checked != head_sequence:
        return broken(checked + 1, "gap")
    if previous != head_hash:
        return broken(checked, "head")
    return ChainResult(True, checked, None, "", head_hash)
