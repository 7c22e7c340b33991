"""The data of a maturity report, composed from assessments, clusters and roadmaps.

The shape is `portal.reports.schema.ReportData`. All scores come from the one scorecard of the assessment;
nothing is computed here but counts and dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.utils import translation
from django.utils.translation import gettext as _

from assessments import kpi_selectors, kpi_words, number_words
from assessments import selectors as assessments
from assessments.domain.dimensions import Dimension
from assessments.domain.evidence import EXPIRY_DAYS
from assessments.domain.kpis.headlines import Headline
from assessments.domain.matrix import EvidenceKind, Matrix, Practice
from assessments.domain.scorecard import PracticeScore
from assessments.selectors import ReportSource
from frontend.templatetags.matrix import na_reason, score_reason, warning_words
from llm_remediation import selectors as roadmaps
from portal.clusters import selectors as clusters
from portal.dashboard import report_comparison, report_roadmap, report_tradeoffs
from portal.reports import schema, sentences

TEMPLATE = "maturity"


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for: language code, who asked, and the other side of the comparison, if any.

    `against` is `a:<uuid>` (an assessment as it stands now) or `m:<uuid>` (a milestone).
    """

    language: str
    author: str
    against: str = ""


def compose(organisation: Any, assessment_id: Any, order: Order, *, as_of: datetime) -> schema.ReportData:
    """Everything the report shows, at one moment and in one language. NotFound for what is not yours."""
    source = assessments.report_source(organisation, assessment_id, as_of=as_of)
    with translation.override(order.language):
        return _compose(organisation, source, order)


def _compose(organisation: Any, source: ReportSource, order: Order) -> schema.ReportData:
    one, card = source.assessment, source.card
    practices = practice_rows(source)
    dimensions = dimension_rows(source)
    overall = overall_row(source)
    mix = evidence_mix(source.matrix, practices)
    plan = roadmaps.report_roadmap(organisation, one.pk)
    roadmap = report_roadmap.part(plan)
    comparison = report_comparison.part(organisation, source, order.against)
    verdict = sentences.verdict(one.cluster.name, overall, dimensions)
    whys = {each.id: _said(each.why or each.question) for each in _asked(source)}
    return schema.ReportData(
        schema=schema.SCHEMA,
        language=_language(),
        title=_("Resilience maturity: %(cluster)s · %(assessment)s")
        % {"cluster": one.cluster.name, "assessment": one.name},
        demo=organisation.demo,
        organisation=organisation.name,
        author=order.author,
        created_at=_moment(card.as_of),
        as_of=_moment(card.as_of),
        cluster=cluster_facts(one.cluster),
        assessment=assessment_facts(one),
        matrix=schema.MatrixFacts(version=card.matrix_version, sha256=card.matrix_sha256),
        overall=overall,
        dimensions=dimensions,
        kpis=kpi_rows(kpi_selectors.headlines_of(organisation, one.cluster, card.as_of)),
        practices=practices,
        baseline=report_comparison.baseline(source, comparison),
        executive=schema.Executive(
            verdict=verdict.verdict,
            detail=verdict.detail,
            weak_points=sentences.weak_points(practices, whys, overall["weakest"]),
            decisions=sentences.decisions(roadmap),
            confidence=sentences.confidence(overall, practices, mix),
            mix=mix,
        ),
        comparison=comparison,
        roadmap=roadmap,
        tradeoffs=report_tradeoffs.part(plan, as_of=card.as_of),
        controls=control_rows(source, practices),
        warnings=[_warning(each) for each in card.warnings],
        levels=level_rows(source.matrix),
        evidence_rules=evidence_rules(source.matrix),
    )


# -- facts ------------------------------------------------------------------------------------------------


def cluster_facts(cluster: Any) -> schema.ClusterFacts:
    """What was assessed, with its services."""
    return schema.ClusterFacts(
        name=cluster.name,
        gpu_sku=cluster.gpu_sku,
        gpu_count=cluster.gpu_count,
        engine=cluster.engine,
        environment=cluster.environment,
        kinds=list(cluster.kinds),
        tags=list(cluster.tags),
        services=[
            schema.ServiceRow(
                name=each.name, kind=each.kind, model=each.model, tier=each.tier, in_scope=each.in_scope
            )
            for each in clusters.services_of(cluster)
        ],
    )


def assessment_facts(one: Any) -> schema.AssessmentFacts:
    """The look at the cluster."""
    return schema.AssessmentFacts(
        id=str(one.pk),
        name=one.name,
        scope=one.scope,
        status=one.status,
        opened_at=_moment(one.created_at),
    )


def level_rows(matrix: Matrix) -> list[schema.LevelRow]:
    """The level scale in words."""
    return [
        schema.LevelRow(
            level=each.level,
            name=_said(each.name),
            rule=_said(each.rule),
            proof=each.proof.value if each.proof else "",
        )
        for each in matrix.level_scale
    ]


def evidence_rules(matrix: Matrix) -> list[schema.EvidenceRuleRow]:
    """The kinds of evidence in words."""
    return [
        schema.EvidenceRuleRow(
            kind=each.kind.value, name=_said(each.name), ceiling=each.ceiling, days=each.days
        )
        for each in matrix.evidence
    ]


# -- scores -----------------------------------------------------------------------------------------------


def overall_row(source: ReportSource) -> schema.OverallRow:
    """The headline as the scorecard's JSON gives it, with the counts of all dimensions."""
    found, rows = source.card.overall.as_dict(), source.card.dimensions.values()
    return schema.OverallRow(
        status=found["status"],
        score=found["score"],
        claimed=found["claimed"],
        demonstrated=found["demonstrated"],
        weakest=found["weakest"],
        answered=sum(each.answered for each in rows),
        applicable=sum(each.applicable for each in rows),
        not_applicable=sum(each.not_applicable for each in rows),
        unsure=sum(each.unsure for each in rows),
        completeness=found["completeness"],
        na_share=found["na_share"],
        na_warning=found["na_warning"],
        interval=found["interval"],
    )


def dimension_rows(source: ReportSource) -> list[schema.DimensionRow]:
    """The six dimensions in their order."""
    rows = []
    for dimension, one in source.card.dimensions.items():
        found = one.as_dict()
        rows.append(
            schema.DimensionRow(
                code=dimension.value,
                name=_said(dimension.full_name),
                status=found["status"],
                score=found["score"],
                claimed=found["claimed"],
                demonstrated=found["demonstrated"],
                level=found["level"],
                answered=found["answered"],
                applicable=found["applicable"],
                not_applicable=found["not_applicable"],
                unsure=found["unsure"],
                completeness=found["completeness"],
                interval=found["interval"],
                weakest=_weakest(source, one.weakest_practice),
            )
        )
    return rows


def kpi_rows(headlines: Iterable[Headline]) -> list[schema.KpiRow]:
    """The headline KPIs in the words of their page."""
    return [
        schema.KpiRow(
            dimension=each.dimension,
            name=number_words.use(each.measured.kpi),
            service=each.service,
            value=kpi_words.measured(each.measured),
            interval=kpi_words.interval(each.measured),
            counted=kpi_words.counted(each.measured),
            why=str(kpi_words.REASONS[each.measured.reason]) if each.measured.reason else "",
            start=_day(each.start),
            end=_day(each.end),
        )
        for each in headlines
    ]


def _weakest(source: ReportSource, practice: str | None) -> schema.Weakest | None:
    if practice is None:
        return None
    return schema.Weakest(
        id=practice,
        title=_said(source.matrix.practice(practice).title),
        current=source.card.practices[practice].current or 0,
    )


# -- practices --------------------------------------------------------------------------------------------


def practice_rows(source: ReportSource) -> list[schema.PracticeRow]:
    """Every asked practice in matrix order, with its answer and evidence."""
    evidence: dict[str, list[schema.EvidenceRow]] = {}
    for row in source.evidence:
        evidence.setdefault(row.practice, []).append(evidence_row(row, source.card.as_of))
    core = source.matrix.core_for(source.profile)
    return [
        _practice_row(source, practice, core=practice.id in core, evidence=evidence.get(practice.id, []))
        for practice in _asked(source)
    ]


def _practice_row(
    source: ReportSource, practice: Practice, *, core: bool, evidence: list[schema.EvidenceRow]
) -> schema.PracticeRow:
    one = source.card.practices[practice.id]
    head = source.heads.get(practice.id)
    response = head.response if head and not head.response.cleared else None
    texts = {each.id: _said(each.text) for each in practice.clauses}
    return schema.PracticeRow(
        id=practice.id,
        dimension=practice.dimension.value,
        title=_said(practice.title),
        question=_said(practice.question),
        core=core,
        state=_state(one),
        claimed=one.claimed,
        demonstrated=one.demonstrated,
        current=one.current,
        ceiling=one.ceiling,
        reason=score_reason(one.reason) if (one.claimed or 0) > (one.current or 0) else "",
        na=_not_applicable(response) if one.state == "na" else "",
        met=sorted(response.clauses or ()) if response else [],
        missing=[schema.ClauseText(id=each, text=texts[each]) for each in one.next_missing if each in texts],
        note=response.note if response else "",
        respondent=str(response.respondent) if response else "",
        answered_at=_moment(response.created_at) if response else None,
        evidence=evidence,
    )


def _state(one: PracticeScore) -> schema.AnswerState:
    states: dict[str, schema.AnswerState] = {"answered": "answered", "na": "na", "unsure": "unsure"}
    return states.get(one.state, "unanswered")


def _not_applicable(response: Any) -> str:
    reason = na_reason(response.na_reason)
    if not response.na_text:
        return reason
    return _("%(reason)s: %(text)s") % {"reason": reason, "text": response.na_text}


def evidence_row(row: Any, as_of: datetime) -> schema.EvidenceRow:
    """A piece of evidence with the last day on which it counts."""
    item = assessments.evidence_item(row)
    days = EXPIRY_DAYS[item.kind]
    day = item.effective_at.astimezone(UTC).date()
    until = None if days is None else day + timedelta(days=days)
    if item.effective_at > as_of:
        state = "future"
    else:
        state = "expired" if until is not None and until < as_of.astimezone(UTC).date() else "valid"
    return schema.EvidenceRow(
        kind=item.kind.value,
        title=row.title,
        date=day.isoformat(),
        until=until.isoformat() if until else None,
        state=state,
        verified=row.vouched,
        clause=row.clause,
        source=row.url or row.file_name,
        sha256=row.sha256,
    )


def evidence_mix(matrix: Matrix, practices: Sequence[schema.PracticeRow]) -> list[schema.MixRow]:
    """Valid evidence by kind, weakest kind first; all six kinds, also those without any."""
    valid = [each for row in practices for each in row["evidence"] if each["state"] == "valid"]
    names = {each.kind: _said(each.name) for each in matrix.evidence}
    return [
        schema.MixRow(
            kind=kind.value,
            name=names.get(kind, kind.value),
            count=sum(each["kind"] == kind.value for each in valid),
            verified=sum(each["kind"] == kind.value and each["verified"] for each in valid),
        )
        for kind in EvidenceKind
    ]


def control_rows(source: ReportSource, practices: Sequence[schema.PracticeRow]) -> list[schema.ControlRow]:
    """NIST controls that the asked practices name, by family and number."""
    current = {each["id"]: each["current"] for each in practices}
    found: dict[str, list[schema.ControlPractice]] = {}
    for practice in _asked(source):
        for control in practice.nist:
            entry = schema.ControlPractice(id=practice.id, current=current[practice.id])
            found.setdefault(control, []).append(entry)
    return [
        schema.ControlRow(id=each, title=source.matrix.controls.get(each, ""), practices=found[each])
        for each in sorted(found, key=_control_order)
    ]


def _control_order(control: str) -> tuple[str, list[int]]:
    """`AC-2(3)` after `AC-2` and before `AC-10`."""
    family, _dash, rest = control.partition("-")
    return family, [int(each) for each in rest.replace(")", "").split("(") if each.isdigit()]


# -- words ------------------------------------------------------------------------------------------------


def _asked(source: ReportSource) -> Iterable[Practice]:
    return source.matrix.in_scope(source.assessment.scope, source.profile)


def _warning(warning: Any) -> str:
    words = warning_words(warning)
    if not warning.practice:
        return words
    return _("%(practice)s: %(words)s") % {"practice": warning.practice, "words": words}


def _said(text: Any) -> str:
    """A bilingual text in the active language."""
    return str(text.in_language(translation.get_language() or "en"))


def _language() -> Literal["en", "zh-Hans"]:
    return "zh-Hans" if (translation.get_language() or "en").startswith("zh") else "en"


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _day(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).date().isoformat() if moment else None


def dimension_name(code: str) -> str:
    """A dimension's full name in the active language."""
    return _said(Dimension(code).full_name)
