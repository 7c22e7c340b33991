"""The pages that move an assessment: the plan, the choices, exactly what was seen, and who may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from assessments import matrix_selectors, selectors
from assessments.matrix_problem_words import WORDS
from assessments.models import MatrixMigration, Milestone, Response
from assessments.services import evidence, milestones, openings
from tests.assessments.domain.small_matrix import both
from tests.assessments.services.test_matrix_migrations import answer, release

pytestmark = pytest.mark.django_db


def client(person: Any) -> Client:
    made = Client()
    made.force_login(person)
    return made


def changed(practices: dict[str, Any]) -> None:
    """A clause of REL-01 reads otherwise, and so does the question of REL-02."""
    practices["REL-01"]["clauses"][1].update(both("In 90 d a ticket."))
    practices["REL-02"]["question"] = both("Something else?")


@pytest.fixture
def one(people: Any, cluster: Any) -> Any:
    """A full assessment with the small matrix and four kinds of answers."""
    sha256 = release(people, "1")
    made = openings.open_assessment(
        organisation=people.north,
        cluster=cluster,
        actor=people.ada,
        name="Q4",
        scope="full",
        matrix_version=matrix_selectors.version(people.north, sha256),
    )
    answer(made, "REL-01", people.ada, level=3, note="Ticked <up> to 3")
    answer(made, "REL-02", people.ada, level=2)
    answer(made, "OBS-01", people.ada, unsure=True)
    answer(made, "SEC-01", people.ada, level=4)
    return made


@pytest.fixture
def to(people: Any, one: Any) -> str:
    return release(people, "2", changed)


def page(one: Any) -> str:
    return f"/o/north/a/{one.pk}/move"


def look(who: Client, one: Any, to: str, **choices: Any) -> Any:
    return who.post(page(one), {"to": to, **choices})


def apply(who: Client, one: Any, to: str, expected: str, **choices: Any) -> Any:
    return who.post(page(one), {"to": to, "expected": expected, "apply": "1", **choices})


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_plan_is_shown(people: Any, one: Any, to: str, language: str) -> None:
    ada = client(people.ada)
    ada.cookies["django_language"] = language
    assert ada.get(page(one)).status_code == 200
    reply = ada.get(page(one), {"to": to})
    assert reply.status_code == 200
    context = reply.context
    assert context["counts"] == {"mapped": 2, "needs_answer": 2, "archived": 0}
    assert [each.outcome.practice for each in context["decided"]] == ["REL-01", "REL-02"]
    body = reply.content.decode()
    assert 'name="confirm" value="REL-01.L2.a"' in body
    assert 'name="confirm" value="REL-02"' in body
    assert "Ticked &lt;up&gt; to 3" in body
    # Nothing was written by looking.
    assert MatrixMigration.objects.count() == 0
    assert Milestone.objects.count() == 0


def test_choices_change_the_plan_and_exactly_that_is_applied(people: Any, one: Any, to: str) -> None:
    ada = client(people.ada)
    choices = {"confirm": ["REL-01.L2.a"], "go-SEC-01": "-", "go-REL-02": "-", "map": ""}
    seen = look(ada, one, to, **choices)
    assert seen.context["counts"] == {"mapped": 2, "needs_answer": 0, "archived": 2}
    kept = Response.objects.count()
    expected = seen.context["found"].sha256
    done = apply(ada, one, to, expected, milestone="Before V2", **choices)
    row = MatrixMigration.objects.get()
    assert done.headers["Location"] == f"/o/north/moves/{row.pk}"
    assert row.milestone.name == "Before V2"
    assert Response.objects.count() > kept
    assert selectors.assessment(people.north, one.pk).matrix_version_id == to
    body = ada.get(done.headers["Location"]).content.decode()
    assert "Dropped by the map" in body
    assert "7 clauses · L1.a, L2.a, L2.b" in body
    # The same again does nothing more.
    assert apply(ada, one, to, expected, milestone="Before V2", **choices).status_code == 302
    assert MatrixMigration.objects.count() == 1
    assert str(row.pk) in ada.get(f"/o/north/a/{one.pk}/moves").content.decode()


def test_choices_that_were_not_looked_at_are_not_applied(people: Any, one: Any, to: str) -> None:
    ada = client(people.ada)
    expected = look(ada, one, to).context["found"].sha256
    reply = apply(ada, one, to, expected, **{"go-SEC-01": "-"})
    assert reply.status_code == 409
    assert reply.context["found"].sha256 != expected
    answer(one, "OBS-02", people.ada, level=1)
    assert apply(ada, one, to, expected).status_code == 409
    assert apply(ada, one, to, "").status_code == 409
    assert MatrixMigration.objects.count() == 0
    assert Milestone.objects.count() == 0


def test_a_practice_can_go_to_another(people: Any, one: Any, to: str) -> None:
    ada = client(people.ada)
    typed = json.dumps({"practices": {"REL-01": "SEC-02"}})
    seen = look(ada, one, to, **{"map": typed, "go-REL-02": "SEC-02"})
    assert seen.context["problems"] == []
    found = {each.outcome.practice: each for each in seen.context["decided"]}
    assert (found["REL-02"].chosen, found["REL-01"].default) == ("SEC-02", "map")
    assert found["REL-02"].outcome.targets == ("SEC-02",)


@pytest.mark.parametrize(
    ("choices", "place"),
    [
        ({"map": "{"}, "map:1"),
        ({"map": "[" * 50_000}, "map:1"),
        ({"map": "[1]"}, "map"),
        ({"map": '{"more": 1}'}, "more"),
        ({"map": '{"practices": 1}', "go-REL-01": "-"}, "practices"),
        ({"map": '{"confirmed": "x"}', "confirm": "REL-01"}, "confirmed"),
        ({"go-REL-01": "REL-77"}, "practices.REL-01"),
        ({"go-XXX-01": "-"}, "practices.XXX-01"),
        ({"go-REL-01": "\x00<b>"}, "practices.REL-01"),
        ({"confirm": "nothing"}, "confirmed.nothing"),
    ],
)
def test_a_bad_map_is_listed_and_not_applied(
    people: Any, one: Any, to: str, choices: dict[str, str], place: str
) -> None:
    ada = client(people.ada)
    seen = look(ada, one, to, **choices)
    assert seen.status_code == 400
    assert seen.context["problems"][0]["place"].replace("'", "") == place
    assert seen.context["problems"][0]["explanation"] in map(str, WORDS.values())
    assert apply(ada, one, to, seen.context["found"].sha256, **choices).status_code == 400
    assert MatrixMigration.objects.count() == 0
    assert Milestone.objects.count() == 0


def test_refusals_keep_the_page(people: Any, one: Any, to: str) -> None:
    ada = client(people.ada)
    assert ada.post(page(one), {}).status_code == 400
    assert ada.get(page(one), {"to": "7"}).status_code == 404
    assert look(ada, one, one.matrix_version_id).status_code == 400
    milestones.lock(assessment=one, actor=people.ada, name="Taken")
    expected = look(ada, one, to).context["found"].sha256
    reply = apply(ada, one, to, expected, milestone="Taken")
    assert reply.status_code == 409
    assert b'id="milestone-error"' in reply.content
    openings.set_status(assessment=one, actor=people.ada, status="closed")
    assert b'name="apply"' not in ada.get(page(one), {"to": to}).content
    assert apply(ada, one, to, expected).status_code == 409
    assert MatrixMigration.objects.count() == 0


def test_who_may(people: Any, one: Any, to: str) -> None:
    """Ada owns north, Ben looks at it, Eve owns another organisation."""
    ada, ben, eve = client(people.ada), client(people.ben), client(people.eve)
    expected = look(ada, one, to).context["found"].sha256
    assert ben.get(page(one)).status_code == 403
    assert apply(ben, one, to, expected).status_code == 403
    assert apply(eve, one, to, expected).status_code == 404
    assert eve.post(f"/o/south/a/{one.pk}/move", {"to": to}).status_code == 404
    assert MatrixMigration.objects.count() == 0
    apply(ada, one, to, expected)
    row = MatrixMigration.objects.get()
    for path in (f"moves/{row.pk}", f"a/{one.pk}/moves"):
        assert ben.get(f"/o/north/{path}").status_code == 200
        assert eve.get(f"/o/north/{path}").status_code == 404
        assert eve.get(f"/o/south/{path}").status_code == 404
    assert b"/move" + b'"' not in ben.get(f"/o/north/a/{one.pk}/moves").content


def test_evidence_that_goes_elsewhere_is_listed(people: Any, one: Any, to: str) -> None:
    for practice in ("REL-01", "SEC-01"):
        evidence.add(
            assessment=one,
            practice_id=practice,
            actor=people.ada,
            submission=evidence.Submission(
                kind="E1", title="Log", effective_at=timezone.now(), url="https://example.com/log"
            ),
        )
    ada = client(people.ada)
    choices = {"go-SEC-01": "-"}
    expected = look(ada, one, to, **choices).context["found"].sha256
    done = ada.get(apply(ada, one, to, expected, **choices).headers["Location"])
    assert done.context["followed"] == 1
    assert [(each["practice"], each["became"]) for each in done.context["evidence"]] == [
        ("SEC-01", "withdrawn")
    ]
