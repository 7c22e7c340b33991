"""The parts of a report that look at something else: another cluster, or an earlier milestone."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from assessments import selectors as assessments
from assessments.domain.compare import Comparison, Difference, Mismatch, Side, compare_sides
from assessments.selectors import ReportSource
from portal.errors import NotFound
from portal.reports import schema, sentences


def part(organisation: Any, source: ReportSource, against: str) -> schema.ComparisonPart | None:
    """The comparison with the side that `against` names; None where it names none.

    Raises NotFound for a side that is missing or belongs to somebody else.
    """
    if not against:
        return None
    here = Side(_label(source.assessment, ""), source.card.as_dict())
    there, facts = _side(organisation, against, source)
    found = compare_sides(here, there)
    guard = [_mismatch(each) for each in found.mismatches if not each.blocking]
    guard += _hardware(source.assessment.cluster, facts.cluster)
    refused = next((_mismatch(each) for each in found.mismatches if each.blocking), "")
    return schema.ComparisonPart(
        a=_compared(here),
        b=_compared(there),
        guard=guard,
        refused=refused,
        overall_words=_words(found, found.overall) if found.overall else "",
        dimensions=[_dimension(found, each) for each in found.dimensions if each.dimension],
        practices=_practices(found, source),
    )


def baseline(source: ReportSource, comparison: schema.ComparisonPart | None) -> schema.Baseline | None:
    """What "then" is on the executive page: the newest milestone that differs from now, else the newest
    milestone, else the other side of the comparison, else nothing."""
    now = {key: each.current for key, each in source.card.practices.items()}
    usable = [
        each
        for each in reversed(source.milestones)
        if each.frozen["card"]["matrix"]["sha256"] == source.card.matrix_sha256
    ]
    for row in usable:
        then = {key: each["current"] for key, each in row.frozen["card"]["practices"].items()}
        if then != now:
            return _milestone(row)
    if usable:
        return _milestone(usable[0])
    if comparison is None or comparison["refused"]:
        return None
    return schema.Baseline(
        kind="cluster",
        name=comparison["b"]["name"],
        date=comparison["b"]["date"],
        overall=comparison["b"]["overall"],
        scores={each["code"]: each["b"] for each in comparison["dimensions"]},
    )


def _milestone(row: Any) -> schema.Baseline:
    card = row.frozen["card"]
    return schema.Baseline(
        kind="milestone",
        name=row.name,
        date=str(card["as_of"])[:10],
        overall=card["overall"]["score"],
        scores={code: each["score"] for code, each in card["dimensions"].items()},
    )


def _side(organisation: Any, against: str, source: ReportSource) -> tuple[Side, Any]:
    try:
        return _found_side(organisation, against, source)
    except NotFound as unknown:
        raise NotFound(unknown.code, unknown.message, place="against") from None


def _found_side(organisation: Any, against: str, source: ReportSource) -> tuple[Side, Any]:
    kind, _colon, key = against.partition(":")
    if kind == "m":
        row = assessments.milestone(organisation, key)
        return Side(_label(row.assessment, row.name), row.frozen["card"]), row.assessment
    if kind != "a":
        raise NotFound("not_found", _("There is no such thing here."))
    one = assessments.assessment(organisation, key)
    card = assessments.scorecard(one, as_of=source.card.as_of)
    return Side(_label(one, ""), card.as_dict()), one


def _label(assessment: Any, milestone: str) -> str:
    name = str(assessment.cluster.name)
    return f"{name} · {milestone}" if milestone else name


def _compared(side: Side) -> schema.ComparedSide:
    return schema.ComparedSide(
        name=side.label, date=side.as_of.date().isoformat(), overall=side.card["overall"]["score"]
    )


def _dimension(found: Comparison, row: Difference) -> schema.ComparedDimension:
    name = row.dimension.full_name.in_language(translation.get_language() or "en") if row.dimension else ""
    return schema.ComparedDimension(
        code=row.dimension.value if row.dimension else "",
        name=name,
        a=row.a,
        b=row.b,
        difference=None if row.difference is None else round(row.difference, 4),
        statistic=row.statistic,
        p=row.adjusted,
        shared=row.shared,
        words=_words(found, row),
    )


def _words(found: Comparison, row: Difference) -> str:
    return sentences.difference(
        found.a.label, found.b.label, row.difference, p=row.adjusted, clear=row.clear, shared=row.shared
    )


def _practices(found: Comparison, source: ReportSource) -> list[schema.ComparedPractice]:
    """Practices whose levels differ, largest difference first."""
    language = translation.get_language() or "en"
    return [
        schema.ComparedPractice(
            id=each.practice,
            title=source.matrix.practice(each.practice).title.in_language(language),
            a=each.a,
            b=each.b,
        )
        for each in sorted(found.practices, key=lambda pair: (-pair.gap, pair.practice))
        if each.gap and each.practice in source.matrix
    ]


def _mismatch(each: Mismatch) -> str:
    values = {"a": each.a, "b": each.b}
    if each.code == "matrix":
        return _("The matrix differs (%(a)s, %(b)s), so the numbers mean different things.") % values
    if each.code == "scope":
        return _("The scope differs (%(a)s, %(b)s), so the numbers mean different things.") % values
    if each.code == "profile":
        return _("The profiles differ: %(a)s, %(b)s.") % values
    return _("The two moments lie far apart: %(a)s, %(b)s.") % values


def _hardware(a: Any, b: Any) -> list[str]:
    """What else differs and may explain a difference."""
    found = []
    if a.gpu_sku != b.gpu_sku:
        found.append(_("The GPUs differ: %(a)s, %(b)s.") % {"a": a.gpu_sku or "—", "b": b.gpu_sku or "—"})
    if a.engine != b.engine:
        found.append(_("The engines differ: %(a)s, %(b)s.") % {"a": a.engine or "—", "b": b.engine or "—"})
    return found
