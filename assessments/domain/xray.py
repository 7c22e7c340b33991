"""X-ray: claims that deserve a second look. A warning never changes a score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from assessments.domain.answers import Answer, Confidence
from assessments.domain.evidence import is_future
from assessments.domain.kpis.practice_values import PracticeKpi, State
from assessments.domain.matrix import EvidenceKind, Matrix, Practice, Profile
from assessments.domain.scorecard import PracticeScore, XrayWarning

# From this claimed level on, prerequisites are looked at.
CLAIM_ON_NEEDS = 3
MOST_NA_PERCENT = 15
# A claim of this level or more deserves more than a guess or hearsay.
CLAIM_ON_CONFIDENCE = 3
# From this claimed level on, measured values have a say: level 3 is the first with a target.
CLAIM_ON_KPI = 3
LOW_CONFIDENCE = Confidence.hearsay
# Two clusters that show the same configuration should not be rated this far apart.
TWIN_DISTANCE = 2
_RUNS = frozenset({EvidenceKind.E4, EvidenceKind.E5})


@dataclass(frozen=True, slots=True)
class Twin:
    """Another cluster that shows the same file or link for a practice, and the level claimed there."""

    cluster: str
    level: int


@dataclass(frozen=True, slots=True)
class XrayFacts:
    """What is known beside the answers, by practice: `twins`, and measured `kpis`."""

    twins: Mapping[str, tuple[Twin, ...]] = field(default_factory=dict)
    kpis: Mapping[str, PracticeKpi] = field(default_factory=dict)


NO_FACTS = XrayFacts()


def too_many_na(not_applicable: int, shown: int) -> bool:
    """Whether more than 15 % of the shown practices are answered "not applicable"."""
    return not_applicable * 100 > MOST_NA_PERCENT * shown


def warnings(
    matrix: Matrix,
    answers: Mapping[str, Answer],
    scores: Mapping[str, PracticeScore],
    *,
    profile: Profile | None,
    as_of: datetime,
    facts: XrayFacts = NO_FACTS,
) -> tuple[XrayWarning, ...]:
    """All warnings: first those on the file of answers, then those on claims, in matrix order.

    Codes: `hidden_by_profile`, `outside_scope`, `na_share`, `future_evidence`, `needs_unmet`,
    `needs_unanswered`, `no_run`, `no_automation`, `low_confidence`, `confidence_unbacked`, `gap_in_ticks`,
    `evidence_unticked`, `twin_differs`, `kpi_misses`, `kpi_impossible`.
    """
    found = [*_left_out(matrix, answers, scores, profile)]
    not_applicable = sum(each.state == "na" for each in scores.values())
    if too_many_na(not_applicable, len(scores)):
        message = (
            f"{not_applicable} of {len(scores)} practices are not applicable (over {MOST_NA_PERCENT} %)."
        )
        found.append(XrayWarning("na_share", None, message))
    for name, one in scores.items():
        answer = answers.get(name)
        if answer is None:
            continue
        if any(is_future(item, as_of) for item in answer.evidence):
            message = "Evidence dated after the moment of the score is ignored."
            found.append(XrayWarning("future_evidence", name, message))
        if one.claimed is not None:
            found.extend(_needs(matrix.practice(name), one.claimed, scores))
            found.extend(_unproven(name, one.claimed, answer, as_of))
            found.extend(_unsure_of(name, one.claimed, answer, as_of))
            found.extend(_ticks(matrix.practice(name), one.claimed, answer, as_of))
            found.extend(_twins(name, one.claimed, facts))
            found.extend(_kpis(name, one.claimed, facts))
    return tuple(found)


def _left_out(
    matrix: Matrix,
    answers: Mapping[str, Answer],
    scores: Mapping[str, PracticeScore],
    profile: Profile | None,
) -> Iterator[XrayWarning]:
    """Answers to practices that nobody asked about; they are ignored."""
    for practice in matrix.practices:
        if practice.id not in answers or practice.id in scores:
            continue
        if practice.shown_to(profile):
            yield XrayWarning("outside_scope", practice.id, "Not part of the quick scan; ignored.")
        else:
            yield XrayWarning("hidden_by_profile", practice.id, "Hidden by the profile; ignored.")


def _needs(practice: Practice, claimed: int, scores: Mapping[str, PracticeScore]) -> Iterable[XrayWarning]:
    """A claim of level 3 or more above a prerequisite that is lower, or not answered, is unlikely.

    A prerequisite that is hidden, not part of the scope or not applicable counts as satisfied.
    """
    if claimed < CLAIM_ON_NEEDS:
        return
    for need in practice.needs:
        other = scores.get(need.practice)
        if other is None or other.state == "na":
            continue
        if other.claimed is None:
            code, fact = "needs_unanswered", "is not answered"
        elif other.claimed < need.level:
            code, fact = "needs_unmet", f"is at {other.claimed}"
        else:
            continue
        message = f"Level {claimed} is claimed, but {need.practice}, needed at level {need.level}, {fact}."
        yield XrayWarning(code, practice.id, message, other=need.practice, level=need.level)


def _unproven(name: str, claimed: int, answer: Answer, as_of: datetime) -> Sequence[XrayWarning]:
    """Levels 4 and 5 are claims about runs; somebody should have attached one, verified or not."""
    kinds = {item.kind for item in answer.evidence if not is_future(item, as_of)}
    found = []
    if claimed >= 4 and not kinds & _RUNS:
        message = f"Level {claimed} is claimed without evidence of an experiment (E4 or E5)."
        found.append(XrayWarning("no_run", name, message, level=claimed))
    if claimed >= 5 and EvidenceKind.E5 not in kinds:
        message = "Level 5 is claimed without evidence of automation (E5)."
        found.append(XrayWarning("no_automation", name, message, level=claimed))
    return found


def _unsure_of(name: str, claimed: int, answer: Answer, as_of: datetime) -> Iterator[XrayWarning]:
    """A high claim on hearsay, and an answer said to be shown that shows nothing."""
    sure = answer.confidence
    if sure is None:
        return
    if claimed >= CLAIM_ON_CONFIDENCE and sure <= LOW_CONFIDENCE:
        message = f"Level {claimed} is claimed on a guess or hearsay."
        yield XrayWarning("low_confidence", name, message, level=claimed)
    if sure is Confidence.shown and not any(not is_future(item, as_of) for item in answer.evidence):
        message = "Said to be shown by evidence, but none is attached."
        yield XrayWarning("confidence_unbacked", name, message)


def _ticks(practice: Practice, claimed: int, answer: Answer, as_of: datetime) -> Iterator[XrayWarning]:
    """Ticks above a level that has a gap do not count; evidence for a clause that is not ticked is odd."""
    if answer.clauses is None:
        return
    above = [each.id for each in practice.clauses if each.level > claimed + 1 and each.id in answer.clauses]
    if above:
        message = f"{above[0]} is ticked, but level {claimed + 1} has a gap, so it does not count."
        yield XrayWarning("gap_in_ticks", practice.id, message, other=above[0], level=claimed + 1)
    known = {each.id for each in practice.clauses}
    for clause in dict.fromkeys(item.clause for item in answer.evidence if not is_future(item, as_of)):
        if clause is not None and clause in known and clause not in answer.clauses:
            message = f"Evidence is attached to {clause}, which is not ticked."
            yield XrayWarning("evidence_unticked", practice.id, message, other=clause)


def _twins(name: str, claimed: int, facts: XrayFacts) -> Iterator[XrayWarning]:
    """The same file or link backs claims that lie far apart on two clusters."""
    for twin in facts.twins.get(name, ()):
        if abs(twin.level - claimed) >= TWIN_DISTANCE:
            message = f"{twin.cluster} shows the same evidence and claims level {twin.level}."
            yield XrayWarning("twin_differs", name, message, other=twin.cluster, level=twin.level)


def _kpis(name: str, claimed: int, facts: XrayFacts) -> Iterator[XrayWarning]:
    """A claim above what the measured values reach, and values that cannot be."""
    kpi = facts.kpis.get(name)
    if kpi is None:
        return
    missed = [
        each.level
        for each in kpi.targets
        if each.state is State.missed and CLAIM_ON_KPI <= each.level <= claimed
    ]
    if missed:
        level = min(missed)
        message = f"Level {claimed} is claimed, but the measured values miss the target of level {level}."
        yield XrayWarning("kpi_misses", name, message, level=level)
    for value in kpi.impossible[:1]:
        shown = f"{value.value:g} {value.unit}"
        message = f"The measured value {shown} is out of the range of the KPI."
        yield XrayWarning("kpi_impossible", name, message, other=shown)
