"""The result of scoring as values, and its one JSON shape."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from assessments.domain.dimensions import Dimension
from assessments.domain.evidence import EvidenceItem
from assessments.domain.matrix import Profile, Scope

ONE_RESPONDENT = "one respondent"
DECIMALS = 4


def rounded(number: float | None) -> float | None:
    """Numbers are rounded when they are shown, never before."""
    return None if number is None else round(number, DECIMALS)


@dataclass(frozen=True, slots=True)
class PracticeScore:
    """One practice: what is claimed, what evidence ever showed, what it shows now, and why they differ.

    `state` is `answered`, `na`, `unsure` or `unanswered`; the levels are set only where it is `answered`.
    `reason` is a machine code (see docs/guide/scoring.md). `next_missing` holds the unticked clauses of the
    first unmet level, `missing` those of all levels. `ceiling` is that of the current view,
    `declared_ceiling` believes every item.
    """

    practice: str
    state: str
    claimed: int | None
    demonstrated: int | None
    current: int | None
    reason: str
    next_missing: tuple[str, ...]
    ceiling: int
    declared_ceiling: int
    expired: tuple[EvidenceItem, ...] = ()
    missing: tuple[str, ...] = ()
    confidence: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of one practice."""
        return {
            "state": self.state,
            "claimed": self.claimed,
            "demonstrated": self.demonstrated,
            "current": self.current,
            "reason": self.reason,
            "next_missing": list(self.next_missing),
            "ceiling": self.ceiling,
            "declared_ceiling": self.declared_ceiling,
            "expired": [each.kind.value for each in self.expired],
            "confidence": None if self.confidence is None else int(self.confidence),
        }


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension. `status`: `ok`, `incomplete` (too few answers) or `empty` (nothing applies)."""

    dimension: Dimension
    status: str
    score: float | None
    claimed: float | None
    demonstrated: float | None
    level: int | None
    answered: int
    applicable: int
    not_applicable: int
    unsure: int
    completeness: float
    interval: tuple[float, float] | None
    interval_reason: str
    weakest_practice: str | None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of one dimension."""
        return {
            "status": self.status,
            "score": rounded(self.score),
            "claimed": rounded(self.claimed),
            "demonstrated": rounded(self.demonstrated),
            "interval": None if self.interval is None else [rounded(each) for each in self.interval],
            "interval_reason": self.interval_reason,
            "level": self.level,
            "answered": self.answered,
            "applicable": self.applicable,
            "not_applicable": self.not_applicable,
            "unsure": self.unsure,
            "completeness": rounded(self.completeness),
            "weakest_practice": self.weakest_practice,
        }


@dataclass(frozen=True, slots=True)
class Overall:
    """The headline: mean of the dimension scores, and the weakest dimension beside it.

    `confidence` counts the answered practices by how sure their respondents were (1 to 5).
    """

    status: str
    score: float | None
    claimed: float | None
    demonstrated: float | None
    weakest: Dimension | None
    completeness: float
    na_share: float
    na_warning: bool
    confidence: tuple[int, int, int, int, int]
    interval: tuple[float, float] | None
    interval_reason: str

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of the headline."""
        return {
            "status": self.status,
            "score": rounded(self.score),
            "claimed": rounded(self.claimed),
            "demonstrated": rounded(self.demonstrated),
            "weakest": None if self.weakest is None else self.weakest.value,
            "completeness": rounded(self.completeness),
            "na_share": rounded(self.na_share),
            "na_warning": self.na_warning,
            "confidence": list(self.confidence),
            "interval": None if self.interval is None else [rounded(each) for each in self.interval],
            "interval_reason": self.interval_reason,
        }


@dataclass(frozen=True, slots=True)
class XrayWarning:
    """Something a reader should look at; a warning never changes a score.

    `code` is for machines and for translation, `other` the practice it depends on, `level` the level meant.
    """

    code: str
    practice: str | None
    message: str
    other: str | None = None
    level: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of a warning."""
        return {
            "code": self.code,
            "practice": self.practice,
            "other": self.other,
            "level": self.level,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Everything `score` found, with what is needed to know whether two cards can be compared."""

    matrix_version: str
    matrix_sha256: str
    as_of: datetime
    scope: Scope
    profile: Profile | None
    overall: Overall
    dimensions: dict[Dimension, DimensionScore]
    practices: dict[str, PracticeScore]
    warnings: tuple[XrayWarning, ...]

    def as_dict(self) -> dict[str, Any]:
        """The JSON of the `score` command; rounding (4 decimals) happens here and nowhere earlier."""
        profile = self.profile
        return {
            "matrix": {"version": self.matrix_version, "sha256": self.matrix_sha256},
            "as_of": self.as_of.astimezone(UTC).isoformat().replace("+00:00", "Z"),
            "scope": self.scope.value,
            "profile": None
            if profile is None
            else {"kinds": sorted(profile.kinds), "tags": sorted(profile.tags)},
            "overall": self.overall.as_dict(),
            "dimensions": {key.value: each.as_dict() for key, each in self.dimensions.items()},
            "practices": {key: each.as_dict() for key, each in self.practices.items()},
            "warnings": [each.as_dict() for each in self.warnings],
        }
