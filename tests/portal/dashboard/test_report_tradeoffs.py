"""Trade-offs and KPIs of a report are those of their pages, with the numbers that were kept."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone, translation

from assessments import kpi_selectors, kpi_words, number_words
from assessments import selectors as assessments
from llm_remediation import snapshots, tradeoff_selectors, tradeoff_words
from llm_remediation.domain.model import WaveBudget
from llm_remediation.domain.tradeoffs.model import Amount, Finding, FindingState
from llm_remediation.domain.tradeoffs.registry import findings
from llm_remediation.services import roadmaps, tradeoffs
from llm_remediation.services.tradeoffs import Wanted
from portal.accounts.models import Organisation, User
from portal.dashboard import report_data, report_tradeoffs
from portal.reports import schema
from tests.llm_remediation.findings import COST, REL, find, found
from tests.portal.reports.test_schema import problems

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation(people: Any) -> Organisation:
    call_command("load_matrix", verbosity=0)
    call_command("demo", language="en", verbosity=0)
    return Organisation.objects.get(slug="ballast-demo")


@pytest.fixture
def one(organisation: Organisation) -> Any:
    return next(row for row in assessments.assessments(organisation) if row.cluster.name == "华北-B")


@pytest.fixture
def owner(organisation: Organisation) -> Any:
    return User.objects.get(memberships__organisation=organisation, memberships__role="owner")


@pytest.fixture
def roadmap(organisation: Organisation, one: Any, owner: Any) -> Any:
    return roadmaps.draw_up(
        organisation=organisation,
        assessment=one,
        actor=owner,
        name="Plan",
        wishes=roadmaps.Wishes([WaveBudget(20, 40, None)]),
    )


def compose(one: Any, language: str = "en", *, days: int = 0) -> schema.ReportData:
    """The report as it would be `days` from now."""
    order = report_data.Order(language, "Ada")
    as_of = timezone.now() + timedelta(days=days)
    return report_data.compose(one.organisation, one.pk, order, as_of=as_of)


def decide(roadmap: Any, actor: Any, rule: str, service: str, **wanted: Any) -> Any:
    return tradeoffs.decide(
        roadmap=roadmap,
        actor=actor,
        rule=rule,
        service=service,
        expected_version=0,
        wanted=Wanted(**{"owner": actor.pk, **wanted}),
    )


def accept(roadmap: Any, owner: Any, service: str = "chat", **changes: Any) -> Any:
    end = timezone.localdate() + timedelta(days=30)
    values = {"kind": "accepted", "reason": "Peak until June", "expires_on": end, **changes}
    return decide(roadmap, owner, "T1", service, **values)


def test_kpis_are_those_of_the_selector_in_the_words_of_the_page(one: Any) -> None:
    as_of = timezone.now()
    for language in ("en", "zh-hans"):
        rows = compose(one, language)["kpis"]
        with translation.override(language):
            expected = [
                (
                    each.dimension,
                    number_words.use(each.measured.kpi),
                    kpi_words.measured(each.measured),
                    kpi_words.interval(each.measured),
                )
                for each in kpi_selectors.headlines_of(one.organisation, one.cluster, as_of)
            ]
        assert [(row["dimension"], row["name"], row["value"], row["interval"]) for row in rows] == expected
    (mtbf,) = (row for row in compose(one)["kpis"] if row["name"] == "Service MTBF")
    assert mtbf["value"] == "141 h" and mtbf["why"] == ""  # the dossier of the demo


def test_without_a_roadmap_there_is_no_part() -> None:
    assert report_tradeoffs.part(None, as_of=timezone.now()) is None


def test_the_kept_numbers_are_told_after_the_numbers_have_changed(
    roadmap: Any, one: Any, owner: Any, monkeypatch: Any
) -> None:
    slo = Amount("slo_missed", 52.0, "min/month")
    find(monkeypatch, found(measures=(*found().measures, slo)))
    accept(roadmap, owner)
    find(monkeypatch, found(measures=(Amount("planned_spend", 777.0, "USD/month"),), price=()))
    for language in ("en", "zh-hans"):
        data = compose(one, language)
        assert problems(data, schema.ReportData, "data") == []
        part = data["tradeoffs"]
        assert part is not None and part["open"] == []
        (row,) = part["decided"]
        assert (row["mark"], row["real"], row["kind"]) == ("stands", True, "accepted")
        assert "120" in row["seen"] and "100" in row["seen"] and "777" not in json.dumps(row)
        assert "4.5" in row["price"]
        assert [each["value"][:2] for each in row["beside"]] == ["52"]
        assert row["owner"] == row["decided_by"] == str(owner) and row["reason"] == "Peak until June"
        assert row["until"] == (timezone.localdate() + timedelta(days=30)).isoformat()


def test_an_accepted_one_is_marked_from_the_day_after_its_last(
    roadmap: Any, one: Any, owner: Any, monkeypatch: Any
) -> None:
    find(monkeypatch, found())
    accept(roadmap, owner)
    for days, mark, waiting in ((30, "stands", []), (31, "expired", ["expired"])):
        part = compose(one, days=days)["tradeoffs"]
        assert part is not None
        assert [row["mark"] for row in part["decided"]] == [mark]
        assert [row["mark"] for row in part["open"]] == waiting


def test_what_waits_is_what_waits_on_the_page(roadmap: Any, one: Any, owner: Any, monkeypatch: Any) -> None:
    lacking = found(rule="T2", state=FindingState.not_measured, measures=(), thresholds=(), price=())
    find(
        monkeypatch,
        found(),
        found(service=""),
        Finding("T1", (REL, COST), FindingState.quiet, "search"),
        lacking,
        Finding("T2", (REL, COST), FindingState.not_measured, "chat-2"),
    )
    with translation.override("en"):
        cards = tradeoff_selectors.tradeoffs(one.organisation, roadmap.pk).waiting
        expected = [(each.finding.service, tradeoff_words.sentence(each.finding)) for each in cards]
        part = compose(one)["tradeoffs"]
    assert part is not None and part["decided"] == []
    assert [(row["service"], row["seen"]) for row in part["open"]] == expected and len(expected) == 2
    assert [each["need"] for each in part["open"][0]["options"]] == ["", "needs COST-05 at level 3 first"]
    assert [(row["rule"], row["services"]) for row in part["unmeasured"]] == [("T2", ["chat", "chat-2"])]
    assert [(row["rule"], row["services"]) for row in part["quiet"]] == [("T1", ["search"])]


def test_options_dismissals_withdrawals_and_what_is_gone(
    roadmap: Any, one: Any, owner: Any, monkeypatch: Any
) -> None:
    services = ("chat", "gone", "search", "withdrawn", "withdrawn-gone")
    find(monkeypatch, *(found(service=name) for name in services))
    decide(roadmap, owner, "T1", "chat", kind="option", option="faster_cold_start")
    decide(roadmap, owner, "T1", "search", kind="dismissed", reason="Shared", owner=None)
    accept(roadmap, owner, "gone")
    for name in ("withdrawn", "withdrawn-gone"):
        tradeoffs.withdraw(decision=accept(roadmap, owner, name), actor=owner)
    quiet = Finding("T1", (REL, COST), FindingState.quiet, "chat", items=("REL-05.L3",))
    outgrown = found(service="search", items=("REL-05.L3", "RCV-07.L3"))
    find(monkeypatch, quiet, outgrown, found(service="withdrawn"))
    part = compose(one)["tradeoffs"]
    assert part is not None
    told = {row["service"]: row for row in part["decided"]}
    assert [(name, row["kind"], row["mark"], row["real"]) for name, row in told.items()] == [
        ("chat", "option", "stands", False),
        ("search", "dismissed", "outgrown", True),
        ("gone", "accepted", "gone", False),
    ]
    assert told["chat"]["what"] and told["search"]["owner"] == "" and told["search"]["until"] is None
    assert [(row["service"], row["mark"]) for row in part["open"]] == [
        ("search", "outgrown"),
        ("withdrawn", "withdrawn"),
    ]
    assert part["quiet"] == part["unmeasured"] == []


def test_a_finding_is_read_back_as_it_was_kept() -> None:
    from tests.llm_remediation.test_tradeoff_words import REAL

    for each in (*findings(REAL), found(missing=("spend_month",))):
        stored = json.loads(json.dumps(snapshots.finding_json(each)))
        assert snapshots.finding(stored) == each
