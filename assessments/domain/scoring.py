"""The one place where scores are made."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from assessments.domain.answers import Answer
from assessments.domain.matrix import Matrix, Profile, Scope
from assessments.domain.scorecard import (
    DimensionScore,
    Overall,
    PracticeScore,
    Scorecard,
    XrayWarning,
)

__all__ = ["DimensionScore", "Overall", "PracticeScore", "Scorecard", "XrayWarning", "score"]


def score(
    matrix: Matrix,
    answers: Iterable[Answer],
    *,
    profile: Profile | None = None,
    scope: Scope | str = Scope.full,
    as_of: datetime,
) -> Scorecard:
    """Score the answers at a moment."""
    raise NotImplementedError
