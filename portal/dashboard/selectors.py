"""Joins over the selectors of the apps below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assessments import selectors as assessments
from assessments.domain.scoring import Scorecard
from portal.audit import selectors as audit
from portal.clusters import selectors as clusters


@dataclass(frozen=True, slots=True)
class Standing:
    """A cluster with its newest assessment and the scores of it."""

    cluster: Any
    assessment: Any | None
    card: Scorecard | None

    @property
    def answered(self) -> int:
        return sum(each.answered for each in self.card.dimensions.values()) if self.card else 0

    @property
    def applicable(self) -> int:
        return sum(each.applicable for each in self.card.dimensions.values()) if self.card else 0


def standings(organisation: Any) -> list[Standing]:
    """Every active cluster with its newest assessment, full ones before quick scans of the same day."""
    newest: dict[Any, Any] = {}
    for row in assessments.assessments(organisation):
        seen = newest.get(row.cluster_id)
        if seen is None or (seen.scope == "quick" and row.scope == "full"):
            newest[row.cluster_id] = row
    found = []
    for cluster in clusters.clusters(organisation.pk):
        found_row = newest.get(cluster.pk)
        card = assessments.scorecard(found_row) if found_row else None
        found.append(Standing(cluster, found_row, card))
    return found


def recent_changes(organisation: Any, limit: int = 8) -> list[Any]:
    """The newest audit entries of the organisation."""
    return list(audit.entries(organisation.pk)[:limit])
