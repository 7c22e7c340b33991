"""Reads of trade-offs: what the rules find on a roadmap as it stands, joined with what was decided on it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import kpi_selectors
from assessments import selectors as assessments
from assessments.domain.kpis.numbers import Reading
from llm_remediation import selectors
from llm_remediation.domain.tradeoffs import t5
from llm_remediation.domain.tradeoffs.model import Finding, FindingState, Rise, Situation
from llm_remediation.domain.tradeoffs.registry import findings
from llm_remediation.domain.tradeoffs.standing import Decided, Standing, standing
from llm_remediation.models import TradeoffDecision
from llm_remediation.selectors import Detail
from portal.clusters import selectors as clusters
from portal.errors import NotFound


@dataclass(frozen=True, slots=True)
class JobNumbers:
    """What T5 looks at on a cluster: the jobs with such numbers, and those of `service` by their name."""

    cluster: Any
    jobs: tuple[str, ...]
    service: str
    readings: Mapping[str, Reading]


@dataclass(frozen=True, eq=False)  # no slots: what is derived is kept
class Card:
    """A finding and every decision on it, newest first."""

    finding: Finding
    history: tuple[TradeoffDecision, ...]
    today: date

    @cached_property
    def newest(self) -> TradeoffDecision | None:
        """The decision that came last, whether or not it still stands."""
        return self.history[0] if self.history else None

    @cached_property
    def standing(self) -> Standing:
        """How the finding stands today."""
        return standing(self.finding.items, decided(self.newest), self.today)

    @property
    def waits(self) -> bool:
        """Whether somebody has to decide: the numbers make it real and no decision stands."""
        return self.finding.state is FindingState.real and self.standing is not Standing.decided

    @property
    def version(self) -> int:
        """What a decision must name as seen: the number of decisions and withdrawals so far."""
        return version_after(self.newest)


@dataclass(frozen=True, eq=False)
class Tradeoffs:
    """All findings of a roadmap in the order of the rules; `past`: decisions whose finding is gone."""

    detail: Detail
    as_of: datetime
    cards: tuple[Card, ...]
    past: tuple[TradeoffDecision, ...]

    def card(self, rule: str, service: str) -> Card | None:
        """The card of a rule for a service ("" is the whole cluster)."""
        for each in self.cards:
            if each.finding.key == (rule, service):
                return each
        return None

    @cached_property
    def waiting(self) -> tuple[Card, ...]:
        """The cards on which somebody has to decide."""
        return tuple(each for each in self.cards if each.waits)

    @cached_property
    def standing(self) -> tuple[Card, ...]:
        """The cards whose newest decision stands: what a report lists with owner and end."""
        return tuple(each for each in self.cards if each.standing is Standing.decided)


def tradeoffs(organisation: Any, roadmap_id: Any, *, as_of: datetime | None = None) -> Tradeoffs:
    """The trade-offs of a roadmap of the organisation at a moment (default: now), or NotFound."""
    return of_detail(selectors.detail(organisation, roadmap_id), as_of=as_of)


def of_detail(detail: Detail, *, as_of: datetime | None = None) -> Tradeoffs:
    """The trade-offs of a roadmap that has been read already."""
    as_of = as_of or timezone.now()
    today = timezone.localdate(as_of)
    grouped: dict[tuple[str, str], list[TradeoffDecision]] = {}
    for row in _decisions(detail.roadmap.organisation).filter(roadmap=detail.roadmap):
        grouped.setdefault((row.rule, row.service), []).append(row)
    cards = tuple(
        Card(each, tuple(grouped.pop(each.key, ())), today) for each in findings(situation(detail, as_of))
    )
    return Tradeoffs(detail, as_of, cards, tuple(_flat(grouped.values())))


def situation(detail: Detail, as_of: datetime) -> Situation:
    """What the rules look at: the steps that count, the levels and the numbers of the cluster at a moment."""
    roadmap = detail.roadmap
    card = assessments.scorecard(roadmap.assessment, as_of=as_of)
    return Situation(
        rises=tuple(
            Rise(one.practice, one.from_level, one.to_level, one.id)
            for one in (step.candidate for step in detail.counted)
        ),
        levels={
            name: result.current for name, result in card.practices.items() if result.current is not None
        },
        readings=kpi_selectors.readings_of(roadmap.organisation, roadmap.assessment.cluster, as_of),
        as_of=as_of,
    )


def job_numbers(
    organisation: Any, cluster_id: Any, service: str | None = None, *, as_of: datetime | None = None
) -> JobNumbers:
    """The checkpoint numbers of one job of a cluster of the organisation, or NotFound.

    Without `service` it is the job with the most numbers, of several the first by name ("" is the cluster).
    """
    cluster = clusters.cluster(organisation.pk, cluster_id)
    by_job: dict[str, dict[str, Reading]] = {}
    for (name, job), reading in kpi_selectors.readings_of(
        organisation, cluster, as_of or timezone.now()
    ).items():
        if name in t5.RULE.numbers:
            by_job.setdefault(job, {})[name] = reading
    jobs = tuple(sorted(by_job))
    chosen = max(jobs, key=lambda job: len(by_job[job]), default="") if service is None else service
    return JobNumbers(cluster, jobs, chosen, by_job.get(chosen, {}))


def decision(organisation: Any, roadmap_id: Any, decision_id: Any) -> TradeoffDecision:
    """One decision on a roadmap of the organisation, or NotFound."""
    found = None
    if (roadmap_key := _uuid(roadmap_id)) and (key := _uuid(decision_id)):
        found = _decisions(organisation).filter(roadmap_id=roadmap_key, pk=key).first()
    if found is None:
        raise NotFound("not_found", _("There is no such decision here."))
    return found


def newest(roadmap: Any, rule: str, service: str) -> TradeoffDecision | None:
    """The decision on a rule and service of a roadmap that came last."""
    rows = _decisions(roadmap.organisation).filter(roadmap=roadmap, rule=rule, service=service)
    return rows.first()


def decided(row: TradeoffDecision | None) -> Decided | None:
    """What counts of a decision for whether it stands."""
    return None if row is None else Decided(row.steps, row.expires_on, row.withdrawn_at is not None)


def version_after(row: TradeoffDecision | None) -> int:
    """Decisions and withdrawals up to `row`, the newest decision on its finding."""
    return 0 if row is None else row.version + (row.withdrawn_at is not None)


def _decisions(organisation: Any) -> QuerySet[TradeoffDecision]:
    return (
        TradeoffDecision.objects.filter(organisation=organisation)
        .select_related("owner", "decided_by", "withdrawn_by", "roadmap", "roadmap__organisation")
        .order_by("-version", "rule", "service")
    )


def _flat(groups: Iterable[list[TradeoffDecision]]) -> list[TradeoffDecision]:
    return sorted((row for rows in groups for row in rows), key=lambda row: row.decided_at, reverse=True)


def _uuid(value: Any) -> uuid.UUID | None:
    try:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))
    except ValueError:
        return None
