"""The demo tells its story with the product's own numbers, and is loaded once."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from assessments import kpi_selectors, selectors
from assessments.services import milestones
from portal.accounts.models import Organisation, User
from portal.audit import services as audit
from portal.dashboard import demo

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation(db: None) -> Organisation:
    call_command("load_matrix", verbosity=0)
    call_command("demo", language="en", verbosity=0)
    return Organisation.objects.get(slug="ballast-demo")


def cards(organisation: Any) -> dict[str, Any]:
    return {row.cluster.name: selectors.scorecard(row) for row in selectors.assessments(organisation)}


def test_three_clusters_two_complete_one_started(organisation: Organisation) -> None:
    found = cards(organisation)
    assert {key: card.overall.status for key, card in found.items()} == {
        "华北-A": "ok",
        "华北-B": "ok",
        "华东-T": "incomplete",
    }
    rcv03 = found["华北-B"].practices["RCV-03"]
    assert (rcv03.claimed, rcv03.demonstrated) == (4, 2)
    assert found["华北-A"].overall.score > found["华北-B"].overall.score
    assert found["华北-B"].overall.weakest == "RCV"


def test_it_is_marked_and_has_roadmaps_that_had_to_choose(organisation: Organisation) -> None:
    from llm_remediation import selectors as roadmaps

    assert organisation.demo
    for row in selectors.assessments(organisation):
        found = roadmaps.report_roadmap(organisation, row.pk)
        if row.scope == "full":
            assert found is not None and found.steps and found.left_out
        else:
            assert found is None


def test_its_history_is_whole(organisation: Organisation) -> None:
    assert audit.verify_chain(organisation.pk).ok
    one = next(row for row in selectors.assessments(organisation) if row.cluster.name == "华北-A")
    before, after = selectors.milestones(one)
    assert milestones.intact(before) and milestones.intact(after)
    score = [each.frozen["card"]["overall"]["score"] for each in (before, after)]
    assert score[0] < score[1]


def test_it_is_loaded_once_and_only_its_owner_may_sign_in(organisation: Organisation) -> None:
    assert demo.load("en") is False
    assert Client().login(email=demo.SIGN_IN.email, password=demo.SIGN_IN.password)
    others = User.objects.exclude(email=demo.SIGN_IN.email)
    assert others.count() == 4
    assert not any(person.has_usable_password() for person in others)


def test_a_failure_leaves_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("load_matrix", verbosity=0)
    monkeypatch.setattr(demo.Loader, "_evidence", lambda *_args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        demo.load("en")
    assert not Organisation.objects.exists() and not User.objects.exists()


def test_in_chinese(db: None) -> None:
    call_command("load_matrix", verbosity=0)
    demo.load("zh-hans")
    organisation = Organisation.objects.get()
    assert {row.name for row in selectors.assessments(organisation)} == {"年度评估", "快速扫描"}


def test_home_says_where_clusters_differ(organisation: Organisation) -> None:
    client = Client()
    client.force_login(User.objects.get(email=demo.SIGN_IN.email))
    body = client.get("/o/ballast-demo/").content.decode()
    assert (
        "<strong>华北-B</strong> is weaker than <strong>华北-A</strong> in Recoverability by 0.9 levels"
        in body
    )
    assert client.get("/o/ballast-demo/help").status_code == 200


def test_its_numbers_are_those_of_the_dossiers(organisation: Organisation) -> None:
    """The dossiers tell MTBF, time to recover, attainment, changes that failed and elasticity."""
    found = {
        (row.cluster.name, each.measured.kpi): each.measured.value
        for row in selectors.assessments(organisation)
        for each in kpi_selectors.headlines_of(organisation, row.cluster, timezone.now())
    }
    expected = {
        ("华北-A", "mtbf"): 212,
        ("华北-A", "golden_signal_coverage"): 96,
        ("华北-A", "mttr"): 24,
        ("华北-A", "objective_attainment"): 86,
        ("华北-A", "change_fail_rate"): 9,
        ("华北-A", "elasticity"): 1.12,
        ("华北-A", "resilience_premium"): None,
        ("华北-B", "mtbf"): 141,
        ("华北-B", "change_fail_rate"): 21,
        ("华北-B", "objective_attainment"): None,
        ("华北-B", "elasticity"): 1.6,
        ("华东-T", "mtbf"): None,
    }
    for key, value in expected.items():
        assert found[key] == (None if value is None else pytest.approx(value, abs=0.5, rel=0)), key


def test_its_numbers_contradict_no_claim_and_suggest_some(organisation: Organisation) -> None:
    for row in selectors.assessments(organisation):
        codes = {each.code for each in selectors.scorecard(row).warnings}
        assert not codes & {"kpi_misses", "kpi_impossible"}
        kpis = selectors.practice_kpis_of(row, as_of=timezone.now())
        assert any(each.suggested == 3 for each in kpis.values())
