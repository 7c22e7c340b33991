"""Reads of roadmaps: one `Detail` from which page, CSV, API and report take the same numbers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import selectors as assessments
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import Matrix
from assessments.domain.texts import Text
from llm_remediation import snapshots
from llm_remediation.domain.checks import BrokenNeed, check_by_hand
from llm_remediation.domain.model import Candidate, Reason, Resource, Totals, WaveBudget
from llm_remediation.domain.roadmap import totals
from llm_remediation.domain.tradeoffs.pareto import Choice, Placed, placed
from llm_remediation.models import ItemStatus, Roadmap, RoadmapItem
from portal.errors import NotFound

# Statuses of steps that still count for scores, totals and budgets.
COUNTED = (ItemStatus.PLANNED, ItemStatus.IN_PROGRESS, ItemStatus.BLOCKED, ItemStatus.CONFIRMED)


@dataclass(frozen=True, slots=True)
class Step:
    """A step in the plan or left out; `item` is its row (None when left out)."""

    candidate: Candidate
    title: Text
    reasons: tuple[Reason, ...]
    item: RoadmapItem | None = None
    broken: tuple[BrokenNeed, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether it counts for scores, totals and budgets."""
        return self.item is not None and self.item.status in COUNTED

    @property
    def estimates(self) -> tuple[float | None, float | None]:
        """Running cost and minutes of SLO miss saved per month, as the organisation estimates them."""
        if self.item is None:
            return None, None
        return self.item.running_cost_month, self.item.slo_minutes_month

    @property
    def overdue(self) -> bool:
        """Whether its date has passed while it is still open."""
        item = self.item
        is_open = item is not None and item.status in COUNTED and item.status != ItemStatus.CONFIRMED
        return bool(is_open and item and item.due and item.due < timezone.localdate())


@dataclass(frozen=True, slots=True)
class Use:
    """What a wave takes of a resource; `limit` None is unlimited. `over` is judged in whole units."""

    resource: Resource
    used: float
    limit: float | None
    over: bool


@dataclass(frozen=True, slots=True)
class Wave:
    """A wave with its steps in working order; totals and uses leave dropped steps out."""

    index: int
    budget: WaveBudget
    steps: tuple[Step, ...]
    totals: Totals
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class DimensionChange:
    """A dimension's score on the day of the plan and once every counted step is closed."""

    dimension: Dimension
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """after − before; None where there is no score."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, eq=False)  # no slots: what is derived is kept
class Detail:
    """A whole roadmap as it stands now, changes by hand included."""

    roadmap: Roadmap
    matrix: Matrix
    steps: tuple[Step, ...]
    left_out: tuple[Step, ...]
    overruns: frozenset[tuple[int, Resource]]

    @cached_property
    def currency(self) -> str:
        """The currency of the day the plan was made."""
        return str(self.roadmap.inputs["rates"]["currency"])

    @cached_property
    def budgets(self) -> tuple[WaveBudget, ...]:
        """One per wave."""
        return tuple(snapshots.budget(each) for each in self.roadmap.inputs["budgets"])

    @cached_property
    def counted(self) -> tuple[Step, ...]:
        """The steps that were not dropped."""
        return tuple(step for step in self.steps if step.counted)

    @cached_property
    def totals(self) -> Totals:
        """Sums over all counted steps."""
        return totals(step.candidate for step in self.counted)

    @cached_property
    def waves(self) -> tuple[Wave, ...]:
        """The waves as they stand."""
        found = []
        for index, budget in enumerate(self.budgets):
            inside = tuple(step for step in self.steps if step.item and step.item.wave == index)
            sums = totals(step.candidate for step in inside if step.counted)
            used = {
                Resource.DAYS: sums.days,
                Resource.GPU_HOURS: sums.gpu_hours,
                Resource.MONEY: sums.money,
            }
            uses = tuple(
                Use(each, used[each], budget.limit(each), (index, each) in self.overruns) for each in Resource
            )
            found.append(Wave(index, budget, inside, sums, uses))
        return tuple(found)

    @cached_property
    def before(self) -> float:
        """The overall score on the day of the plan."""
        return float(self.roadmap.outcome["before"]["overall"])

    @cached_property
    def after(self) -> float:
        """The overall score once every counted step is closed.

        The planner took it from the score itself; the gains of dropped steps are taken off (gains add up).
        """
        return float(self.roadmap.outcome["after"]["overall"]) - self._dropped_gain(None)

    @cached_property
    def dimensions(self) -> tuple[DimensionChange, ...]:
        """All six, in the order of the matrix."""
        before = self.roadmap.outcome["before"]["dimensions"]
        after = self.roadmap.outcome["after"]["dimensions"]
        scored = sum(value is not None for value in before.values())
        return tuple(
            DimensionChange(
                each,
                before[each.value],
                None if after[each.value] is None else after[each.value] - self._dropped_gain(each) * scored,
            )
            for each in Dimension
        )

    def _dropped_gain(self, dimension: Dimension | None) -> float:
        return sum(
            step.candidate.gain
            for step in self.steps
            if not step.counted and dimension in (None, step.candidate.dimension)
        )

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """The counted steps with both estimates, cheapest first, each with the step that dominates it."""
        found = []
        for step in self.counted:
            cost, minutes = step.estimates
            if cost is not None and minutes is not None:
                found.append(Choice(step.candidate.id, cost, minutes))
        return placed(found)

    @cached_property
    def weakest(self) -> str | None:
        """The weakest dimension on the day of the plan, whose gains count more."""
        value = self.roadmap.outcome["weakest"]
        return None if value is None else str(value)

    @cached_property
    def unanswered(self) -> tuple[str, ...]:
        """Practices without a level, which therefore have no step."""
        return tuple(self.roadmap.outcome["unanswered"])

    def count(self, *statuses: str) -> int:
        """How many steps have one of the statuses."""
        return sum(step.item is not None and step.item.status in statuses for step in self.steps)

    @cached_property
    def changed_by_hand(self) -> bool:
        """Whether the plan is no longer the one the solver made."""
        planned = self.roadmap.outcome["waves"]
        return any(
            not step.counted or step.item is None or step.item.wave != planned[step.candidate.id]
            for step in self.steps
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """A roadmap in one line, for lists and the home page."""

    roadmap: Roadmap
    cluster: str
    assessment: str
    before: float
    after: float
    steps: int
    confirmed: int
    in_progress: int
    overdue: int
    next_due: date | None


def roadmaps(organisation: Any) -> QuerySet[Roadmap]:
    """The organisation's roadmaps, newest first."""
    today = timezone.localdate()
    is_open = ~Q(items__status__in=(ItemStatus.CONFIRMED, ItemStatus.DROPPED))
    return (
        Roadmap.objects.filter(organisation=organisation)
        .select_related("assessment", "assessment__cluster", "created_by", "organisation")
        .annotate(
            step_count=Count("items", Q(items__status__in=COUNTED)),
            confirmed_count=Count("items", Q(items__status=ItemStatus.CONFIRMED)),
            running_count=Count("items", Q(items__status=ItemStatus.IN_PROGRESS)),
            overdue_count=Count("items", is_open & Q(items__due__lt=today)),
        )
        .order_by("-created_at", "pk")
    )


def roadmap(organisation: Any, roadmap_id: Any) -> Roadmap:
    """One roadmap of the organisation, or NotFound."""
    found = roadmaps(organisation).filter(pk=_uuid(roadmap_id)).first()
    if found is None:
        raise not_found()
    return found


def item(organisation: Any, roadmap_id: Any, item_id: Any) -> RoadmapItem:
    """One step of a roadmap of the organisation, or NotFound."""
    found = (
        RoadmapItem.objects.filter(
            roadmap__organisation=organisation, roadmap_id=_uuid(roadmap_id), pk=_uuid(item_id)
        )
        .select_related("roadmap", "roadmap__organisation", "owner", "confirmed_by")
        .first()
    )
    if found is None:
        raise not_found()
    return found


def detail(organisation: Any, roadmap_id: Any) -> Detail:
    """A roadmap with everything its page shows, or NotFound."""
    return _detail(roadmap(organisation, roadmap_id))


def report_roadmap(organisation: Any, assessment_id: Any) -> Detail | None:
    """The newest roadmap of an assessment, for the report; None when there is none."""
    row = roadmaps(organisation).filter(assessment_id=_uuid(assessment_id)).first()
    return None if row is None else _detail(row)


def summaries(organisation: Any, *, limit: int | None = None) -> list[Summary]:
    """The organisation's roadmaps in one line each, newest first."""
    return [summary(row) for row in roadmaps(organisation)[:limit]]


def roadmap_summary(organisation: Any) -> Summary | None:
    """The newest roadmap in one line, for the home page."""
    found = summaries(organisation, limit=1)
    return found[0] if found else None


def not_found() -> NotFound:
    """The one answer for what is missing or belongs to somebody else."""
    return NotFound("not_found", _("There is no such roadmap here."))


def _uuid(value: Any) -> uuid.UUID:
    try:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))
    except ValueError:
        raise not_found() from None


def summary(row: Any) -> Summary:
    """A row of `roadmaps` in one line."""
    found = _detail(row)
    dues = [step.item.due for step in found.steps if step.item and step.item.due and _is_open(step.item)]
    return Summary(
        roadmap=row,
        cluster=row.assessment.cluster.name,
        assessment=row.assessment.name,
        before=found.before,
        after=found.after,
        steps=row.step_count,
        confirmed=row.confirmed_count,
        in_progress=row.running_count,
        overdue=row.overdue_count,
        next_due=min(dues, default=None),
    )


def _is_open(row: RoadmapItem) -> bool:
    return row.status not in (ItemStatus.CONFIRMED, ItemStatus.DROPPED)


def _detail(row: Roadmap) -> Detail:
    stored: Mapping[str, Any] = row.outcome["candidates"]
    known = {name: snapshots.candidate(each) for name, each in stored.items()}
    matrix = assessments.matrix(row.inputs["matrix"]["sha256"])
    budgets = [snapshots.budget(each) for each in row.inputs["budgets"]]
    rows = {f"{each.practice}.L{each.to_level}": each for each in _items(row)}
    waves = {name: each.wave for name, each in rows.items() if each.status in COUNTED}
    checked = check_by_hand(list(known.values()), budgets, waves)
    broken: dict[str, list[BrokenNeed]] = {}
    for each in checked.broken:
        broken.setdefault(each.candidate, []).append(each)

    def title(name: str) -> Text:
        return matrix.practice(known[name].practice).title

    return Detail(
        roadmap=row,
        matrix=matrix,
        steps=tuple(
            Step(known[n], title(n), snapshots.reasons(each.reason), each, tuple(broken.get(n, ())))
            for n, each in rows.items()
        ),
        left_out=tuple(
            Step(known[each["id"]], title(each["id"]), snapshots.reasons(each["reasons"]))
            for each in row.outcome["left_out"]
        ),
        overruns=frozenset((each.wave, each.resource) for each in checked.overruns),
    )


def _items(row: Roadmap) -> QuerySet[RoadmapItem]:
    return (
        RoadmapItem.objects.filter(roadmap=row)
        .select_related("owner", "confirmed_by")
        .order_by("wave", "position", "practice", "to_level")
    )
