"""Answering: append-only, versioned, idempotent, never half-written."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from assessments import selectors
from assessments.models import AnswerHead, Response
from assessments.services import evidence, milestones, openings, responses
from assessments.services.responses import Draft
from portal.audit import services as audit
from portal.clusters import services as clusters
from portal.errors import Conflict, Invalid, NotFound

pytestmark = pytest.mark.django_db


def give(
    quick: Any, actor: Any, draft: Draft, *, version: int = 0, practice: str = "REL-01", key: str = ""
) -> Any:
    return responses.answer(
        assessment=quick,
        practice_id=practice,
        actor=actor,
        draft=draft,
        expected_version=version,
        idempotency_key=key,
    )


def test_a_level_ticks_every_clause_up_to_it(people: Any, quick: Any) -> None:
    given = give(quick, people.ada, Draft(level=2))
    practice = selectors.matrix(quick.matrix_version_id).practice("REL-01")
    assert given.clauses == [each.id for each in practice.clauses if each.level <= 2]
    assert selectors.scorecard(quick).practices["REL-01"].claimed == 2


def test_answers_are_appended_and_the_newest_holds(people: Any, quick: Any) -> None:
    first = give(quick, people.ada, Draft(level=1, note="first"))
    second = give(quick, people.by_role["assessor"], Draft(level=3), version=1)
    assert [row.version for row in selectors.history(quick, "REL-01")] == [2, 1]
    assert second.supersedes == first
    assert AnswerHead.objects.get(assessment=quick, practice="REL-01").response == second
    assert Response.objects.get(pk=first.pk).note == "first"


def test_the_slower_of_two_gets_both_values(people: Any, quick: Any) -> None:
    give(quick, people.ada, Draft(level=1, note="hers"))
    with pytest.raises(Conflict) as refused:
        give(quick, people.by_role["assessor"], Draft(level=4, note="his"))
    theirs, mine = refused.value.extra["theirs"], refused.value.extra["mine"]
    assert (theirs["note"], theirs["by"], theirs["version"]) == ("hers", "Ada", 1)
    assert mine["note"] == "his"
    assert Response.objects.count() == 1


def test_the_same_key_is_stored_once(people: Any, quick: Any) -> None:
    first = give(quick, people.ada, Draft(level=1), key="k1")
    again = give(quick, people.ada, Draft(level=1), key="k1")
    assert first.pk == again.pk
    assert Response.objects.count() == 1


@pytest.mark.parametrize(
    ("draft", "place"),
    [
        (Draft(), "answer"),
        (Draft(level=1, unsure=True), "answer"),
        (Draft(level=6), "level"),
        (Draft(level=-1), "level"),
        (Draft(clauses=("REL-01.L9.z",)), "clauses"),
        (Draft(clauses=("OBS-01.L1.a",)), "clauses"),
        (Draft(na_reason="because"), "na_reason"),
        (Draft(na_reason="other"), "na_text"),
        (Draft(level=1, note="x" * 10001), "note"),
    ],
)
def test_bad_answers_are_refused_with_their_place(people: Any, quick: Any, draft: Draft, place: str) -> None:
    with pytest.raises(Invalid) as refused:
        give(quick, people.ada, draft)
    assert refused.value.place == place
    assert Response.objects.count() == 0


def test_a_practice_that_is_not_asked_looks_missing(people: Any, quick: Any) -> None:
    for practice in ("REL-02", "REL-99", "", "rel-01"):
        with pytest.raises(NotFound):
            give(quick, people.ada, Draft(level=1), practice=practice)


def test_a_closed_assessment_takes_no_answers(people: Any, quick: Any) -> None:
    openings.set_status(assessment=quick, actor=people.ada, status="closed")
    with pytest.raises(Conflict):
        give(quick, people.ada, Draft(level=1))


def test_every_answer_is_in_the_audit_chain(people: Any, quick: Any) -> None:
    give(quick, people.ada, Draft(level=1))
    result = audit.verify_chain(people.north.pk)
    assert result.ok
    from portal.audit import selectors as trail

    assert trail.entries(people.north.pk)[0].action == "answer.given"


def test_answers_carry_over_to_a_full_assessment(people: Any, quick: Any, cluster: Any) -> None:
    give(quick, people.ada, Draft(level=2, note="kept"))
    full = openings.open_assessment(
        organisation=people.north,
        cluster=cluster,
        actor=people.ada,
        name="Full",
        scope="full",
        carry_from=quick,
    )
    head = selectors.heads(full)["REL-01"]
    assert (head.version, head.response.source, head.response.note) == (1, "carried", "kept")


@pytest.mark.django_db(transaction=True)
def test_two_writers_at_once_one_wins_and_nothing_is_lost(people: Any, quick: Any) -> None:
    outcomes: list[str] = []
    ready = threading.Barrier(4)

    def write(level: int) -> None:
        ready.wait()
        try:
            give(quick, people.ada, Draft(level=level))
            outcomes.append("stored")
        except Conflict:
            outcomes.append("conflict")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write, args=(level,)) for level in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["conflict"] * 3 + ["stored"]
    assert Response.objects.filter(assessment=quick).count() == 1
    assert AnswerHead.objects.get(assessment=quick).version == 1


def test_a_key_stands_for_one_answer_only(people: Any, quick: Any) -> None:
    give(quick, people.ada, Draft(level=1), key="k")
    for other in (Draft(level=2), Draft(level=1, note="more"), Draft(unsure=True)):
        for version in (0, 1):
            with pytest.raises(Conflict) as refused:
                give(quick, people.ada, other, version=version, key="k")
            assert refused.value.code == "idempotency_key_reused"
    assert Response.objects.count() == 1


@pytest.mark.parametrize("key", ["k" * 65, "a\x00b", "a\nb"])
def test_a_key_is_refused_rather_than_cut(people: Any, quick: Any, key: str) -> None:
    with pytest.raises(Invalid) as refused:
        give(quick, people.ada, Draft(level=1), key=key)
    assert refused.value.place == "Idempotency-Key"
    assert Response.objects.count() == 0


def test_a_repeat_gets_its_own_answer_not_that_of_somebody_faster(people: Any, quick: Any) -> None:
    """Otherwise the next write would cover the other's answer unseen."""
    first = give(quick, people.ada, Draft(level=1), key="k")
    give(quick, people.by_role["assessor"], Draft(level=3), version=1)
    assert give(quick, people.ada, Draft(level=1), key="k") == first
    with pytest.raises(Conflict):
        give(quick, people.ada, Draft(level=2), version=first.version)


def test_a_repeat_is_answered_even_after_closing_but_nothing_new(people: Any, quick: Any) -> None:
    first = give(quick, people.ada, Draft(level=1), key="k")
    stale = selectors.assessment(people.north, quick.pk)
    openings.set_status(assessment=quick, actor=people.ada, status="closed")
    assert stale.status == "open"  # read before it was closed
    assert give(stale, people.ada, Draft(level=1), key="k") == first
    with pytest.raises(Conflict) as refused:
        give(stale, people.ada, Draft(level=2), version=1)
    assert refused.value.code == "assessment_closed"


@pytest.mark.parametrize("name", ["\u200b", "a\x01b", "a\u202eb", "a\x00", "\u2066"])
def test_names_that_nobody_can_read_are_refused(people: Any, quick: Any, cluster: Any, name: str) -> None:
    with pytest.raises(Invalid) as refused:
        openings.open_assessment(
            organisation=people.north, cluster=cluster, actor=people.ada, name=name, scope="quick"
        )
    assert refused.value.place == "name"
    with pytest.raises(Invalid):
        milestones.lock(assessment=quick, actor=people.ada, name=name)


def test_confidence_is_kept_with_the_answer_and_frozen(people: Any, quick: Any) -> None:
    given = give(quick, people.ada, Draft(level=3, confidence=2))
    assert given.confidence == 2
    card = selectors.scorecard(quick)
    assert card.overall.confidence == (0, 1, 0, 0, 0)
    assert "low_confidence" in {each.code for each in card.warnings if each.practice == "REL-01"}
    frozen = milestones.lock(assessment=quick, actor=people.ada, name="M1").frozen
    assert [each["confidence"] for each in frozen["answers"]] == [2]


@pytest.mark.parametrize("confidence", [0, 6, True])
def test_a_confidence_out_of_range_is_refused(people: Any, quick: Any, confidence: int) -> None:
    with pytest.raises(Invalid) as refused:
        give(quick, people.ada, Draft(level=1, confidence=confidence))
    assert refused.value.place == "confidence"
    assert not Response.objects.exists()


def test_nobody_is_sure_of_what_they_do_not_know(people: Any, quick: Any) -> None:
    assert give(quick, people.ada, Draft(unsure=True, confidence=5)).confidence is None


def test_the_same_link_at_another_cluster_with_a_claim_far_apart(people: Any, quick: Any) -> None:
    other = openings.open_assessment(
        organisation=people.north,
        cluster=clusters.create_cluster(
            organisation_id=people.north.pk,
            actor=people.ada,
            data=clusters.ClusterData(name="twin", kinds=("serve", "train")),
        ),
        actor=people.ada,
        name="Twin",
        scope="quick",
    )
    for one, level in ((quick, 4), (other, 1)):
        give(one, people.ada, Draft(level=level))
        evidence.add(
            assessment=one,
            practice_id="REL-01",
            actor=people.ada,
            submission=evidence.Submission(
                kind="E2", title="slo", effective_at=timezone.now(), url="https://wiki.example.com/slo"
            ),
        )
    warned = [each for each in selectors.scorecard(quick).warnings if each.code == "twin_differs"]
    assert [(each.practice, each.other, each.level) for each in warned] == [("REL-01", "twin", 1)]
    assert "twin_differs" in {each.code for each in selectors.scorecard(other).warnings}
