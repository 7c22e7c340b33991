"""Moving an assessment: a milestone first, exactly the plan that was seen, all or nothing, nothing lost."""

from __future__ import annotations

import copy
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from assessments import matrix_selectors, selectors
from assessments.models import MatrixMigration, Response
from assessments.services import (
    custom_matrices,
    evidence,
    matrix_migrations,
    milestones,
    openings,
    responses,
)
from portal.audit.models import Entry
from portal.errors import Conflict, Invalid
from tests.assessments.domain.hostile_files import one_file
from tests.assessments.domain.small_matrix import both, trees

pytestmark = pytest.mark.django_db


def release(people: Any, version: str, change: Any = None) -> str:
    """An own matrix made from the small one; returns its SHA-256."""
    documents = copy.deepcopy(trees())
    documents["matrix.yaml"]["version"] = version
    if change:
        change(
            {
                each["id"]: each
                for name in documents
                for each in documents[name]["practices"]
                if "title" in each
            }
        )
    row, _new = custom_matrices.upload(
        organisation=people.north, actor=people.ada, files=[("m.json", one_file(documents))]
    )
    return custom_matrices.release(row=row, actor=people.ada).sha256


def answer(one: Any, practice: str, actor: Any, **draft: Any) -> Response:
    head = selectors.heads(one).get(practice)
    return responses.answer(
        assessment=one,
        practice_id=practice,
        actor=actor,
        draft=responses.Draft(**draft),
        expected_version=head.version if head else 0,
    )


@pytest.fixture
def one(people: Any, cluster: Any) -> Any:
    """A full assessment with the small matrix: one of each kind of answer."""
    sha256 = release(people, "1")
    made = openings.open_assessment(
        organisation=people.north,
        cluster=cluster,
        actor=people.ada,
        name="Q4",
        scope="full",
        matrix_version=matrix_selectors.version(people.north, sha256),
    )
    answer(made, "REL-01", people.ada, level=3, note="Ticked up to 3", confidence=4)
    answer(made, "REL-02", people.ada, level=2)
    answer(made, "OBS-01", people.ada, unsure=True)
    answer(made, "OBS-02", people.ada, na_reason="other", na_text="None here")
    answer(made, "SEC-01", people.ada, level=4, note="Archived later")
    return made


def reworded(practices: dict[str, Any]) -> None:
    practices["REL-01"]["clauses"][1].update(both("In 90 d a ticket."))
    practices["REL-02"]["question"] = both("Something else?")


def test_the_plan_is_applied_exactly(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    seen = matrix_migrations.preview(assessment=one, to=to, mapping={"practices": {"SEC-01": None}})
    assert seen.plan.counts() == {"mapped": 2, "needs_answer": 2, "archived": 1}
    before = list(Response.objects.order_by("created_at").values())
    done = matrix_migrations.apply(
        assessment=one,
        to=to,
        mapping={"practices": {"SEC-01": None}},
        expected=seen.sha256,
        actor=people.ada,
        milestone_name="Before V2",
    )
    assert one.matrix_version_id == to
    assert selectors.assessment(people.north, one.pk).matrix_version_id == to
    assert done.milestone.name == "Before V2"
    assert done.milestone.frozen["card"]["matrix"]["version"] == "1"
    assert milestones.intact(done.milestone)
    # Every old response is still there, unchanged.
    assert (
        list(Response.objects.filter(pk__in=[row["id"] for row in before]).order_by("created_at").values())
        == before
    )
    now = {name: head.response for name, head in selectors.heads(one).items()}
    assert (now["OBS-01"].unsure, now["OBS-02"].na_text) == (True, "None here")
    assert {name for name, row in now.items() if row.cleared} == {"REL-01", "REL-02", "SEC-01"}
    assert all(row.version == 2 and row.source == "migrated" for row in now.values())
    assert {each["practice"]: each["result"] for each in done.archived} == {
        "REL-01": "needs_answer",
        "REL-02": "needs_answer",
        "SEC-01": "archived",
    }
    archived = next(each for each in done.archived if each["practice"] == "SEC-01")
    assert (archived["note"], archived["reason"]) == ("Archived later", "dropped")
    assert Entry.objects.order_by("-sequence").first().action == "assessment.migrated"


def test_a_confirmed_clause_keeps_its_tick_note_and_respondent(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    mapping = {"confirmed": ["REL-01.L2.a"]}
    seen = matrix_migrations.preview(assessment=one, to=to, mapping=mapping)
    before = selectors.heads(one)["REL-01"].response
    matrix_migrations.apply(assessment=one, to=to, mapping=mapping, expected=seen.sha256, actor=people.ada)
    after = selectors.heads(one)["REL-01"].response
    assert after.clauses == before.clauses
    assert (after.note, after.confidence, after.respondent) == ("Ticked up to 3", 4, before.respondent)
    assert after.supersedes == before
    card = selectors.scorecard(one)
    assert card.practices["REL-01"].claimed == 3


def test_applying_again_is_the_same_move(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    seen = matrix_migrations.preview(assessment=one, to=to)
    first = matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)
    count = Response.objects.count()
    again = matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)
    assert first == again
    assert Response.objects.count() == count
    assert MatrixMigration.objects.count() == 1
    with pytest.raises(Invalid, match="already"):
        matrix_migrations.preview(assessment=one, to=to)


def test_a_stale_preview_changes_nothing(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    seen = matrix_migrations.preview(assessment=one, to=to)
    answer(one, "COST-02", people.ada, level=1)
    with pytest.raises(Conflict) as refused:
        matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)
    assert refused.value.code == "preview_stale"
    assert refused.value.extra["etag"] == matrix_migrations.preview(assessment=one, to=to).sha256
    with pytest.raises(Conflict):  # the map is part of what was seen
        mapping = {"practices": {"SEC-01": None}}
        now = refused.value.extra["etag"]
        matrix_migrations.apply(assessment=one, to=to, mapping=mapping, expected=now, actor=people.ada)
    assert selectors.milestones(one).count() == 0
    assert not Response.objects.filter(source="migrated").exists()


def test_a_closed_assessment_and_a_bad_map_are_refused(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    bad = {"practices": {"REL-99": "REL-01"}}
    seen = matrix_migrations.preview(assessment=one, to=to, mapping=bad)
    assert [each.code for each in seen.problems] == ["practice_unknown_old"]
    with pytest.raises(Invalid) as refused:
        matrix_migrations.apply(assessment=one, to=to, mapping=bad, expected=seen.sha256, actor=people.ada)
    assert refused.value.place == "practices.'REL-99'"
    seen = matrix_migrations.preview(assessment=one, to=to)
    openings.set_status(assessment=one, actor=people.ada, status="closed")
    with pytest.raises(Conflict, match="closed"):
        matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)


def test_a_failure_half_way_leaves_everything_as_it_was(people: Any, one: Any, monkeypatch: Any) -> None:
    to = release(people, "2", reworded)
    seen = matrix_migrations.preview(assessment=one, to=to)

    def fail(*_args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(matrix_migrations, "_record", fail)
    with pytest.raises(RuntimeError):
        matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)
    fresh = selectors.assessment(people.north, one.pk)
    assert fresh.matrix_version.version == "1"
    assert selectors.milestones(one).count() == 0
    assert not Response.objects.filter(source="migrated").exists()


def test_an_answer_that_was_on_its_way_is_not_written_into_the_new_matrix(people: Any, one: Any) -> None:
    to = release(people, "2", reworded)
    stale = selectors.assessment(people.north, one.pk)
    seen = matrix_migrations.preview(assessment=one, to=to)
    matrix_migrations.apply(assessment=one, to=to, mapping={}, expected=seen.sha256, actor=people.ada)
    with pytest.raises(Conflict) as refused:
        answer(stale, "COST-01", people.ada, level=5)
    assert refused.value.code == "matrix_changed"


def test_there_and_back_again(people: Any, one: Any) -> None:
    """Versions of answers go on counting, so that no answer of an earlier visit blocks a new one."""
    home = one.matrix_version_id
    to = release(people, "2", lambda practices: practices["REL-02"].update(question=both("Another?")))
    for target in (to, home, to):
        seen = matrix_migrations.preview(assessment=one, to=target)
        assert not seen.plan.problems
        matrix_migrations.apply(assessment=one, to=target, mapping={}, expected=seen.sha256, actor=people.ada)
        answer(one, "REL-02", people.ada, level=1)
    assert one.matrix_version_id == to
    assert selectors.milestones(one).count() == 3
    assert selectors.heads(one)["REL-02"].version == 7
    versions = Response.objects.filter(practice="REL-02").values_list("version", flat=True)
    assert sorted(versions) == list(range(1, 8))


def test_evidence_follows_its_practice(people: Any, one: Any) -> None:
    def moved(practices: dict[str, Any]) -> None:
        clauses = practices["REL-01"]["clauses"]
        del clauses[1]  # L2.a is gone, L2.b becomes L2.a
        clauses[1]["id"] = "REL-01.L2.a"

    to = release(people, "2", moved)

    def add(practice: str, clause: str) -> Any:
        return evidence.add(
            assessment=one,
            practice_id=practice,
            actor=people.ada,
            submission=evidence.Submission(
                kind="E1",
                title=f"{practice} {clause}",
                effective_at=timezone.now() - timedelta(days=1),
                clause=clause,
                url="https://example.org/x",
            ),
        )

    kept, gone, dropped = add("REL-01", "REL-01.L2.b"), add("REL-01", "REL-01.L2.a"), add("SEC-01", "")
    split = add("COST-02", "")
    mapping = {"practices": {"SEC-01": None, "COST-02": ["COST-02", "EVO-02"]}}
    seen = matrix_migrations.preview(assessment=one, to=to, mapping=mapping)
    done = matrix_migrations.apply(
        assessment=one, to=to, mapping=mapping, expected=seen.sha256, actor=people.ada
    )
    rows = {(row.title, row.practice): row for row in selectors.evidence_of(one)}
    assert rows[(kept.title, "REL-01")].clause == "REL-01.L2.a"
    assert rows[(gone.title, "REL-01")].clause == ""
    assert (dropped.title, "SEC-01") not in rows
    assert (split.title, "COST-02") in rows
    assert rows[(split.title, "EVO-02")].added_at == split.added_at
    became = {each["id"]: each["became"] for each in done.evidence}
    assert (became[str(kept.pk)], became[str(dropped.pk)]) == ("moved", "withdrawn")


def test_everything_that_reads_an_assessment_still_does(people: Any, one: Any) -> None:
    """Scores, reports and milestones of an assessment whose practices are gone."""
    documents = copy.deepcopy(trees())
    documents["matrix.yaml"]["version"] = "2"
    documents["security.yaml"]["practices"].pop(1)
    index = documents["matrix.yaml"]
    index["practices"] = [each for each in index["practices"] if each["id"] != "SEC-02"]
    row, _new = custom_matrices.upload(
        organisation=people.north, actor=people.ada, files=[("m.json", one_file(documents))]
    )
    custom_matrices.release(row=row, actor=people.ada)
    answer(one, "SEC-02", people.ada, level=2)
    seen = matrix_migrations.preview(assessment=one, to=row.sha256)
    matrix_migrations.apply(assessment=one, to=row.sha256, mapping={}, expected=seen.sha256, actor=people.ada)
    assert selectors.heads(one)["SEC-02"].response.cleared
    source = selectors.report_source(people.north, one.pk)
    assert "SEC-02" not in source.card.practices
    milestones.lock(assessment=one, actor=people.ada, name="After")
