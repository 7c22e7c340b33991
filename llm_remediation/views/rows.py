"""Rows of the roadmap page in words: what the selector found, ready to print."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import Practice
from llm_remediation import words
from llm_remediation.domain.checks import BrokenNeed
from llm_remediation.domain.model import EstimateSource, Resource, Work
from llm_remediation.domain.tradeoffs.balance import Bar
from llm_remediation.forms import resource_label
from llm_remediation.models import ItemStatus
from llm_remediation.selectors import Detail, DimensionChange, Step, Use, Wave
from llm_remediation.tradeoff_selectors import Tradeoffs
from llm_remediation.views import charts, tradeoff_rows
from llm_remediation.views.tradeoff_rows import Chip
from portal.errors import Refused

STATES = {
    ItemStatus.PLANNED: "neutral",
    ItemStatus.IN_PROGRESS: "running",
    ItemStatus.BLOCKED: "warn",
    ItemStatus.CONFIRMED: "pass",
    ItemStatus.DROPPED: "unknown",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What was refused at one step; `theirs` and `mine` are set for a conflict."""

    item_id: Any
    message: str
    theirs: str = ""
    mine: str = ""

    @classmethod
    def of(cls, item_id: Any, refused: Refused, *, theirs: str = "", mine: str = "") -> Problem:
        return cls(item_id, str(refused.message), theirs, mine)


@dataclass(frozen=True, slots=True)
class Costs:
    """What the steps cost in other dimensions, as rows need it."""

    found: Tradeoffs
    chips: Mapping[str, list[Chip]]
    judged: Mapping[str, set[Dimension]]
    bars: Mapping[Dimension, Bar]

    @classmethod
    def of(cls, found: Tradeoffs) -> Costs:
        return cls(found, tradeoff_rows.chips(found), tradeoff_rows.judged(found), tradeoff_rows.bars(found))

    def unjudged(self, step: Step) -> list[Dimension]:
        """The dimensions that a step may harm by the matrix, about which no rule says anything."""
        known = self.judged.get(step.candidate.id, set())
        return [each for each in step.candidate.may_cost if each not in known]

    def may_harm(self, step: Step, dimension: Dimension) -> bool:
        """Whether a step may harm a dimension and nobody has measured it."""
        unmeasured = (each.items for each in self.bars[dimension].may_fall)
        return dimension in self.unjudged(step) or any(step.candidate.id in each for each in unmeasured)


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A prerequisite that comes too late; `fix` is the wave that would mend it, None if none does."""

    needs: str
    fix: int | None
    fix_name: str


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step with all its words."""

    step: Step
    practice: Practice
    title: str
    why: str
    price: str
    needs: str
    money: str
    radius: str
    closing: str
    may_cost: str
    chips: list[Chip]
    estimate: str
    estimates: str
    cost_typed: str
    minutes_typed: str
    only_proof: bool
    clauses: list[tuple[str, str]]
    state: str
    broken: list[BrokenRow]
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class UseRow:
    """Used and limit of one resource in words."""

    use: Use
    label: Any
    used: str
    limit: str


@dataclass(frozen=True, slots=True)
class WaveRow:
    """A wave with its name, its steps and its totals."""

    wave: Wave
    name: str
    rows: list[StepRow]
    uses: list[UseRow]
    cap: str


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """A dimension of the balance strip: `falls` are measured, `may_cost` counts steps nobody measured."""

    row: DimensionChange
    bar: str
    direction: str
    weakest: bool
    steps: int
    falls: list[Chip]
    may_cost: int


def distance(step: Step) -> tuple[float, str]:
    """Sorts left-out steps: those whose place in the plan would cost the least come first."""
    losses = [cast(float, each.parameters["loss"]) for each in step.reasons if "loss" in each.parameters]
    return min(losses, default=math.inf), step.candidate.id


def step_row(step: Step, found: Detail, costs: Costs, problem: Problem | None = None) -> StepRow:
    """The words of a step."""
    one, language = step.candidate, charts.language()
    practice = found.matrix.practice(one.practice)
    test = one.closing_test
    return StepRow(
        step=step,
        practice=practice,
        title=step.title.in_language(language),
        why=words.sentence(step.reasons, found.currency),
        price=words.price(step.reasons),
        needs=words.steps(one.needs),
        money=words.amount(Resource.MONEY.value, one.money, found.currency),
        radius=words.radius(one.blast_radius.value),
        closing=words.full_stop(words.closing_test(test)),
        may_cost=words.may_cost(each.value for each in costs.unjudged(step)),
        chips=list(costs.chips.get(one.id, ())),
        estimate="" if one.estimate is EstimateSource.MATRIX else str(words.ESTIMATES[one.estimate.value]),
        estimates=words.estimates(*step.estimates, found.currency),
        cost_typed=words.typed(step.estimates[0]),
        minutes_typed=words.typed(step.estimates[1]),
        only_proof=one.work is Work.PROVE,
        clauses=[
            (each.id, each.text.in_language(language))
            for each in practice.clauses
            if test and each.id in test.clauses
        ],
        state=STATES[ItemStatus(step.item.status)] if step.item else "neutral",
        broken=[_broken(each, found) for each in step.broken],
        problem=problem if problem and step.item and problem.item_id == step.item.pk else None,
    )


def _broken(need: BrokenNeed, found: Detail) -> BrokenRow:
    possible = need.earliest is not None and need.earliest < len(found.budgets)
    fix = need.earliest if possible else None
    return BrokenRow(words.step(need.needs), fix, words.wave(fix) if fix is not None else "")


def wave_row(wave: Wave, found: Detail, costs: Costs, problem: Problem | None) -> WaveRow:
    """A wave in words."""
    return WaveRow(
        wave=wave,
        name=words.wave(wave.index),
        rows=[step_row(step, found, costs, problem) for step in wave.steps],
        uses=[_use(each, found) for each in wave.uses],
        cap=words.radius(wave.budget.blast_radius.value) if wave.budget.blast_radius else "",
    )


def _use(use: Use, found: Detail) -> UseRow:
    name = use.resource.value
    limit = "" if use.limit is None else words.amount(name, use.limit, found.currency)
    return UseRow(use, resource_label(use.resource), words.amount(name, use.used, found.currency), limit)


def dimension_row(row: DimensionChange, found: Detail, costs: Costs) -> DimensionRow:
    """A dimension of the balance strip."""
    return DimensionRow(
        row=row,
        bar=charts.bar(row),
        direction=charts.direction(row.change),
        weakest=row.dimension.value == found.weakest,
        steps=sum(step.candidate.dimension == row.dimension for step in found.counted),
        falls=[tradeoff_rows.fall(each) for each in costs.bars[row.dimension].falls],
        may_cost=sum(costs.may_harm(step, row.dimension) for step in found.counted),
    )
