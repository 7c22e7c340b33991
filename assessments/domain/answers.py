"""What was answered, as values; `answer_parsing` reads them from a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assessments.domain.evidence import EvidenceItem
from assessments.domain.matrix import Profile, Scope

__all__ = ["Answer", "EvidenceItem", "NaReason", "Profile", "Scope"]


class NaReason(StrEnum):
    """Why a practice does not apply; `other` needs a text."""

    not_in_profile = "not_in_profile"
    out_of_scope = "out_of_scope"
    delegated_to_provider = "delegated_to_provider"
    architecture_excludes = "architecture_excludes"
    other = "other"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one practice: a level or ticked clauses, or not applicable, or don't know, or nothing.

    `clauses` is an empty set where the rater looked and ticked nothing (level 0) and None where clauses
    were not asked. Where several are set: not applicable wins, then don't know, then clauses, then level.
    """

    practice: str
    level: int | None = None
    clauses: frozenset[str] | None = None
    na_reason: NaReason | None = None
    na_text: str = ""
    unsure: bool = False
    evidence: tuple[EvidenceItem, ...] = ()
