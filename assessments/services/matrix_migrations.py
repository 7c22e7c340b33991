"""Moving an assessment to another matrix version: look at the plan, then apply exactly that plan."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import matrix_problem_words, selectors
from assessments.domain.migration import NewAnswer, Plan, Result, plan
from assessments.domain.migration_map import MapProblem, MigrationMap, parse_map
from assessments.domain.migration_state import OldAnswer
from assessments.models import (
    AnswerHead,
    Assessment,
    Evidence,
    MatrixMigration,
    Milestone,
    Response,
    ResponseSource,
)
from assessments.services import milestones, openings, responses
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, Refused


@dataclass(frozen=True, slots=True)
class Preview:
    """What applying would do; `sha256` changes as soon as anything it rests on does."""

    assessment: Assessment
    to: str
    mapping: MigrationMap
    plan: Plan
    problems: tuple[MapProblem, ...]
    sha256: str


def preview(*, assessment: Assessment, to: str, mapping: Any = None) -> Preview:
    """The plan for moving to the matrix with SHA-256 `to` (which the caller has looked up as visible).

    `mapping` is the JSON of a map (see `parse_map`). Raises Invalid where the assessment has that version
    already; problems of the map are listed, not raised.
    """
    if assessment.matrix_version_id == to:
        raise Invalid(
            "matrix_unchanged", _("The assessment has this matrix version already."), place="version"
        )
    parsed, unread = parse_map({} if mapping is None else mapping)
    before = selectors.matrix(assessment.matrix_version_id)
    # What an earlier move took back is no answer of this version.
    heads = {
        practice: head
        for practice, head in selectors.heads(assessment).items()
        if practice in before or not head.response.cleared
    }
    found = plan(
        before,
        selectors.matrix(to),
        [_old(head.response) for head in heads.values()],
        parsed,
        profile=selectors.profile_of(assessment),
        scope=assessment.scope,
    )
    evidence = sorted(str(row.pk) for row in selectors.evidence_of(assessment))
    rests_on = {
        "assessment": str(assessment.pk),
        "heads": {practice: str(head.response_id) for practice, head in heads.items()},
        "evidence": evidence,
        "map": parsed.as_dict(),
        "plan": found.as_dict(),
    }
    digest = hashlib.sha256(milestones.canonical(rests_on)).hexdigest()
    return Preview(assessment, to, parsed, found, (*unread, *found.problems), digest)


def _old(response: Response) -> OldAnswer:
    return OldAnswer(
        practice=response.practice,
        level=response.level,
        clauses=None if response.clauses is None else frozenset(response.clauses),
        na_reason=response.na_reason,
        na_text=response.na_text,
        unsure=response.unsure,
        cleared=response.cleared,
    )


@transaction.atomic
def apply(
    *,
    assessment: Assessment,
    to: str,
    mapping: Any,
    expected: str,
    actor: Any,
    milestone_name: str = "",
) -> MatrixMigration:
    """Move the assessment by exactly the plan whose preview had the SHA-256 `expected`.

    First the assessment is frozen as a milestone; then the new answers are appended, what does not hold any
    more is taken back (every old response stays), evidence follows its practice, and the assessment pins the
    new version: all or nothing. The same call again returns what was done. Raises Conflict for a closed
    assessment and a stale preview, Invalid for a map with problems.
    """
    row = (
        Assessment.objects.select_for_update().select_related("organisation", "cluster").get(pk=assessment.pk)
    )
    done = MatrixMigration.objects.filter(assessment=row, preview_sha256=expected).first()
    if done is not None:
        return done
    openings.require_open(row)
    found = preview(assessment=row, to=to, mapping=mapping)
    if found.problems:
        raise Invalid(
            "map_invalid",
            _("The map has problems; correct them first."),
            place=found.problems[0].place,
            extra={
                "problems": [matrix_problem_words.explained(each.as_dict()) for each in found.problems],
            },
        )
    if found.sha256 != expected:
        raise Conflict(
            "preview_stale",
            _("Something has changed since the preview. Look at the new one and apply that."),
            extra={"etag": found.sha256, "counts": found.plan.counts()},
        )
    before = row.matrix_version_id
    frozen = _freeze(row, actor, milestone_name or milestone_title(row))
    archived = _archived(row, found.plan)
    _write_answers(row, found.plan, actor)
    moved = _move_evidence(row, found.plan, actor)
    row.matrix_version_id = to
    row.save(update_fields=["matrix_version"])
    assessment.matrix_version_id = to
    return _record(row, found, frozen, before, {"archived": archived, "evidence": moved}, actor)


def _freeze(row: Assessment, actor: Any, name: str) -> Milestone:
    """The milestone before the move; a name that is refused is called `milestone` by who calls us."""
    try:
        return milestones.lock(assessment=row, actor=actor, name=name)
    except Refused as refused:
        refused.place = "milestone" if refused.place == "name" else refused.place
        raise


def milestone_title(assessment: Assessment) -> str:
    """A free name for the milestone before the move."""
    version = assessment.matrix_version
    stem = _("Before leaving matrix V%(version)s") % {"version": version.version}
    taken = set(selectors.milestones(assessment).values_list("name", flat=True))
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem} ({number})", number + 1
    return name


def _record(
    row: Assessment,
    found: Preview,
    frozen: Milestone,
    before: str,
    parts: dict[str, Any],
    actor: Any,
) -> MatrixMigration:
    made = MatrixMigration.objects.create(
        organisation_id=row.organisation_id,
        assessment=row,
        from_version_id=before,
        to_version_id=found.to,
        mapping=found.mapping.as_dict(),
        plan=found.plan.as_dict(),
        preview_sha256=found.sha256,
        milestone=frozen,
        applied_by=actor,
        **parts,
    )
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action="assessment.migrated",
        object_type="assessment",
        object_id=str(row.pk),
        detail={
            "name": row.name,
            "from": before,
            "to": found.to,
            "counts": found.plan.counts(),
            "milestone": str(frozen.pk),
            "migration": str(made.pk),
        },
    )
    return made


def _archived(row: Assessment, found: Plan) -> list[dict[str, Any]]:
    """The old answers that are not carried over, as they were, in the order of the old matrix."""
    heads = selectors.heads(row)
    matrix = selectors.matrix(row.matrix_version_id)
    kept = []
    for outcome in found.outcomes:
        if outcome.result is Result.mapped:
            continue
        response = heads[outcome.practice].response
        if response.cleared:
            continue
        title = matrix.practice(outcome.practice).title if outcome.practice in matrix else None
        kept.append(
            {
                **outcome.as_dict(),
                "response": str(response.pk),
                "answer": responses.summary(response),
                "note": response.note,
                "respondent": str(response.respondent),
                "at": response.created_at.isoformat(),
                "title": {"en": title.en, "zh": title.zh} if title else None,
            }
        )
    return kept


def _write_answers(row: Assessment, found: Plan, actor: Any) -> None:
    """Append the new answers, and take back what holds no more."""
    heads = selectors.heads(row)
    for each in found.answers:
        sources = [heads[name].response for name in each.sources]
        _append(row, heads.get(each.practice), each.practice, _values(each, sources))
    written = {each.practice for each in found.answers}
    for practice, head in heads.items():
        if practice not in written and not head.response.cleared:
            _append(row, head, practice, {"cleared": True, "respondent": actor, "supersedes": head.response})


def _values(new: NewAnswer, sources: list[Response]) -> dict[str, Any]:
    """The columns of a migrated response; it stays the answer of who gave it, and so does vouching."""
    newest = max(sources, key=lambda each: each.created_at)
    sure = [each.confidence for each in sources if each.confidence is not None]
    notes = [each.note for each in sources if each.note.strip()]
    return {
        "level": new.level,
        "clauses": None if new.clauses is None else list(new.clauses),
        "na_reason": new.na_reason,
        "na_text": new.na_text,
        "unsure": new.unsure,
        "note": "\n\n".join(dict.fromkeys(notes))[: responses.NOTE_CHARACTERS],
        "confidence": min(sure, default=None) if not (new.na_reason or new.unsure) else None,
        "respondent": newest.respondent,
        "supersedes": newest,
    }


def _append(row: Assessment, head: AnswerHead | None, practice: str, values: dict[str, Any]) -> None:
    version = head.version + 1 if head else 1
    made = Response.objects.create(
        assessment=row, practice=practice, version=version, source=ResponseSource.MIGRATED, **values
    )
    if head is None:
        AnswerHead.objects.create(assessment=row, practice=practice, version=version, response=made)
    else:
        AnswerHead.objects.filter(pk=head.pk).update(version=version, response=made)


def _move_evidence(row: Assessment, found: Plan, actor: Any) -> list[dict[str, Any]]:
    """Let evidence follow its practice and clause; what would back another practice now is withdrawn."""
    asked = selectors.matrix(found.after)
    notes: list[dict[str, Any]] = []
    for item in selectors.evidence_of(row):
        targets = found.targets.get(item.practice, ())
        old = {"id": str(item.pk), "practice": item.practice, "clause": item.clause}
        if not targets:
            stays = item.practice not in asked
            if not stays:
                item.withdrawn_at, item.withdrawn_by = timezone.now(), actor
                item.save(update_fields=["withdrawn_at", "withdrawn_by"])
            notes.append({**old, "became": "kept" if stays else "withdrawn", "to": []})
            continue
        first = item.practice if item.practice in targets else targets[0]
        ordered = [first, *(each for each in targets if each != first)]
        clause = found.clause_map.get(item.clause, "")
        for number, practice in enumerate(ordered):
            here = clause if clause.startswith(f"{practice}.") else ""
            _place(item, practice, here, copy=number > 0)
        notes.append({**old, "became": "moved", "to": ordered})
    return notes


def _place(item: Evidence, practice: str, clause: str, *, copy: bool) -> None:
    """Put evidence to a practice; a copy is a second record of the same file or link."""
    if copy:
        item = Evidence.objects.get(pk=item.pk)
        added = item.added_at
        item.pk = None
        item._state.adding = True
        item.practice, item.clause = practice, clause
        item.save()
        Evidence.objects.filter(pk=item.pk).update(added_at=added)
    elif (item.practice, item.clause) != (practice, clause):
        item.practice, item.clause = practice, clause
        item.save(update_fields=["practice", "clause"])
