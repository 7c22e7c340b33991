"""Running cost against SLO minutes saved: the steps that are worth their money, and those that are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from frontend.plots.frontier import FrontierChart, Spot, for_any_width
from llm_remediation import words
from llm_remediation.domain.model import Resource
from llm_remediation.domain.tradeoffs.pareto import Choice, Placed
from llm_remediation.selectors import Detail, Step
from llm_remediation.views.charts import language


@dataclass(frozen=True, slots=True)
class Row:
    """A step with both estimates; `why` names what dominates it and by how much."""

    step: str
    title: str
    anchor: str
    cost: str
    minutes: str
    dominated: bool
    why: str


@dataclass(frozen=True, slots=True)
class Half:
    """A step with one of the two estimates."""

    step: str
    anchor: str
    lacks: str


@dataclass(frozen=True, slots=True)
class Section:
    """What the part of the page shows; without a figure nothing has been estimated in full."""

    figure: SafeString | None
    rows: list[Row]
    half: list[Half]


def section(found: Detail) -> Section:
    """The counted steps laid out against each other."""
    steps = {each.candidate.id: each for each in found.counted}
    rows = [_row(each, steps[each.choice.id], found) for each in found.placed]
    half = [
        Half(words.step(name), _anchor(each), _lacking(each))
        for name, each in steps.items()
        if sum(value is None for value in each.estimates) == 1
    ]
    return Section(_figure(found, rows) if rows else None, rows, half)


def _row(placed: Placed, step: Step, found: Detail) -> Row:
    one, by = placed.choice, placed.dominated_by
    return Row(
        step=words.step(one.id),
        title=step.title.in_language(language()),
        anchor=_anchor(step),
        cost=_money(one.cost_month, found),
        minutes=_minutes(one.minutes_saved),
        dominated=by is not None,
        why=_why(one, by, found) if by else _("on the frontier"),
    )


def _why(one: Choice, by: Choice, found: Detail) -> str:
    """`REL-05 → 3 costs 20 USD less and saves 5 min more`: per month."""
    cheaper, more = one.cost_month - by.cost_month, by.minutes_saved - one.minutes_saved
    values: dict[str, Any] = {
        "step": words.step(by.id),
        "money": _money(cheaper, found),
        "minutes": _minutes(more),
    }
    if cheaper and more:
        return _("%(step)s costs %(money)s less and saves %(minutes)s more") % values
    if cheaper:
        return _("%(step)s saves as much and costs %(money)s less") % values
    return _("%(step)s costs as much and saves %(minutes)s more") % values


def _lacking(step: Step) -> str:
    cost, _minutes = step.estimates
    return _("running cost") if cost is None else _("SLO minutes saved")


def _figure(found: Detail, rows: list[Row]) -> SafeString:
    best = [row.step for row in rows if not row.dominated]
    chart = FrontierChart(
        id="frontier",
        title=_("Running cost against SLO minutes saved"),
        description=_("On the frontier: %(steps)s.") % {"steps": _(", ").join(best)},
        x_axis=_("running cost per month (%(currency)s)") % {"currency": found.currency},
        y_axis=_("SLO minutes saved per month"),
        words=(
            _("on the frontier: no step costs no more and saves no less"),
            _("dominated: the table names a better step"),
            _("the most that single steps save for a cost"),
        ),
        spots=tuple(
            Spot(
                row.step,
                f"{row.step} {row.title}: {row.cost}, {row.minutes}; {row.why}",
                each.choice.cost_month,
                each.choice.minutes_saved,
                row.dominated,
            )
            for each, row in zip(found.placed, rows, strict=True)
        ),
    )
    return mark_safe(for_any_width(chart))  # noqa: S308 - our own SVG, escaped by its writer


def _anchor(step: Step) -> str:
    return f"item-{step.item.pk}" if step.item else ""


def _money(value: float, found: Detail) -> str:
    return words.amount(Resource.MONEY.value, value, found.currency)


def _minutes(value: float) -> str:
    return _("%(minutes)s min") % {"minutes": words.plain(value)}
