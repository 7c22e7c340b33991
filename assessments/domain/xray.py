"""X-ray: claims that deserve a second look. A warning never changes a score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from assessments.domain.answers import Answer
from assessments.domain.evidence import is_future
from assessments.domain.matrix import EvidenceKind, Matrix, Practice, Profile
from assessments.domain.scorecard import PracticeScore, XrayWarning

# From this claimed level on, prerequisites are looked at.
CLAIM_ON_NEEDS = 3
MOST_NA_PERCENT = 15
_RUNS = frozenset({EvidenceKind.E4, EvidenceKind.E5})


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
) -> tuple[XrayWarning, ...]:
    """All warnings: first those on the file of answers, then those on claims, in matrix order.

    Codes: `hidden_by_profile`, `outside_scope`, `na_share`, `future_evidence`, `needs_unmet`,
    `needs_unanswered`, `no_run`, `no_automation`.
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
