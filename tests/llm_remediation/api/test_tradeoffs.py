"""The API of trade-offs: roles and tokens, versions, strict input, the shapes it describes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from llm_remediation.api import tradeoff_shapes
from llm_remediation.models import TradeoffDecision
from portal.accounts.domain.permissions import TABLE, Action
from tests.llm_remediation.api.calls import ROLES, client, send, url
from tests.llm_remediation.findings import find, found


def accepted(people: Any, **changes: Any) -> dict[str, Any]:
    day = timezone.localdate() + timedelta(days=30)
    body = {"rule": "T1", "service": "chat", "kind": "accepted", "reason": "Peak until June"}
    return body | {"owner": people.ben.pk, "expires_on": day.isoformat()} | changes


@pytest.mark.parametrize("role", ROLES)
def test_by_role(people: Any, roadmap: Any, monkeypatch: Any, role: str) -> None:
    find(monkeypatch, found())
    here, place = client(people.by_role[role]), url("roadmap-tradeoffs", roadmap=roadmap)
    assert send(here, "GET", place).status_code == 200
    edit = role in TABLE[Action.ROADMAPS_EDIT]
    answer = send(here, "POST", place, accepted(people), if_match='"0"')
    assert answer.status_code == (201 if edit else 403)
    if not edit:
        answer = send(client(people.ada), "POST", place, accepted(people), if_match='"0"')
    row = TradeoffDecision.objects.get(pk=answer.json()["id"])
    back = send(here, "POST", url("tradeoff-withdraw", roadmap=roadmap, decision=row))
    assert back.status_code == (200 if edit else 403)
    assert send(here, "DELETE", place).status_code == 405


def test_three_people(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    """Ada decides, Ben reads, Eve sees neither here nor from her own organisation."""
    find(monkeypatch, found())
    place = url("roadmap-tradeoffs", roadmap=roadmap)
    made = send(client(people.ada), "POST", place, accepted(people), if_match='"0"')
    assert made.status_code == 201 and made.headers["ETag"] == '"1"'
    seen = send(client(people.ben), "GET", place).json()
    assert seen["findings"][0]["decisions"] == [made.json()]
    row = TradeoffDecision.objects.get()
    for slug in ("north", "south"):
        eve = client(people.eve)
        assert send(eve, "GET", url("roadmap-tradeoffs", slug, roadmap=roadmap)).status_code == 404
        other = url("roadmap-tradeoffs", slug, roadmap=roadmap)
        assert send(eve, "POST", other, accepted(people), if_match='"1"').status_code == 404
        withdraw = url("tradeoff-withdraw", slug, roadmap=roadmap, decision=row)
        assert send(eve, "POST", withdraw).status_code == 404
    assert send(Client(), "GET", place).status_code == 401
    row.refresh_from_db()
    assert row.withdrawn_at is None


def test_deciding_and_withdrawing(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    find(monkeypatch, found())
    here, place = client(people.ada), url("roadmap-tradeoffs", roadmap=roadmap)
    first = send(here, "GET", place).json()["findings"][0]
    assert (first["standing"], first["waits"], first["version"], first["decisions"]) == ("open", True, 0, [])
    assert first["title"] and "120" in first["text"] and "100" in first["text"]
    assert all(option["text"] for option in first["options"])
    assert first["options"][1]["needs"] == {"practice": "COST-05", "level": 3}
    assert first["options"][0]["effects"] == {"COST": "up", "REL": "down"}
    made = send(here, "POST", place, accepted(people), if_match='"0"').json()
    assert made["owner"] == {"id": people.ben.pk, "name": str(people.ben)}
    assert made["seen"]["price"] == [{"code": "cost_per_avoided_minute", "value": 4.5, "unit": "USD/min"}]
    late = send(here, "POST", place, accepted(people, reason="Other"), if_match='"0"')
    assert late.status_code == 409
    assert late.json()["error"]["extra"]["theirs"]["reason"] == "Peak until June"
    row = TradeoffDecision.objects.get()
    back = send(here, "POST", url("tradeoff-withdraw", roadmap=roadmap, decision=row))
    assert back.status_code == 200 and back.json()["withdrawn_by"] == str(people.ada)
    again = send(here, "GET", place).json()["findings"][0]
    assert (again["standing"], again["waits"], again["version"]) == ("withdrawn", True, 2)
    twice = send(here, "POST", url("tradeoff-withdraw", roadmap=roadmap, decision=row))
    assert (twice.status_code, twice.json()["error"]["code"]) == (409, "decision_withdrawn")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"rule": ""}, "rule"),
        ({"rule": "T9"}, "rule"),
        ({"rule": None}, "rule"),
        ({"rule": "T1\x00"}, "rule"),
        ({"service": "search"}, "rule"),
        ({"service": None}, "service"),
        ({"kind": "postponed"}, "kind"),
        ({"option": "faster_cold_start"}, "option"),
        ({"kind": "option", "expires_on": None, "option": "spot_replica"}, "option"),
        ({"reason": ""}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
        ({"reason": 7.5, "owner": None}, "owner"),
        ({"owner": "1"}, "owner"),
        ({"owner": True}, "owner"),
        ({"owner": 10**30}, "owner"),
        ({"owner": 987654321}, "owner"),
        ({"expires_on": None}, "expires_on"),
        ({"expires_on": "soon"}, "expires_on"),
        ({"expires_on": "2020-01-01"}, "expires_on"),
        ({"expires_on": "9999-12-31"}, "expires_on"),
        ({"seen": {}}, "seen"),
    ],
)
def test_bad_input_names_its_place(
    people: Any, roadmap: Any, monkeypatch: Any, changes: dict[str, Any], place: str
) -> None:
    find(monkeypatch, found())
    body = accepted(people, **changes)
    answer = send(client(people.ada), "POST", url("roadmap-tradeoffs", roadmap=roadmap), body, if_match='"0"')
    assert (answer.status_code, answer.json()["error"]["place"]) == (400, place)
    assert not TradeoffDecision.objects.exists()


@pytest.mark.parametrize("body", ["{", "[]", "null", '{"owner": NaN}', '"x"'])
def test_broken_json_is_refused(people: Any, roadmap: Any, monkeypatch: Any, body: str) -> None:
    find(monkeypatch, found())
    place = url("roadmap-tradeoffs", roadmap=roadmap)
    assert send(client(people.ada), "POST", place, body, if_match='"0"').status_code == 400


def test_a_decision_names_the_version_it_saw(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    find(monkeypatch, found())
    here, place = client(people.ada), url("roadmap-tradeoffs", roadmap=roadmap)
    assert send(here, "POST", place, accepted(people)).status_code == 428
    assert send(here, "POST", place, accepted(people), if_match='"a"').status_code == 400
    assert send(here, "POST", place, accepted(people), if_match='"1"').status_code == 409


def test_a_decision_belongs_to_its_roadmap(people: Any, quick: Any, roadmap: Any, monkeypatch: Any) -> None:
    from llm_remediation.domain.model import WaveBudget
    from llm_remediation.services import roadmaps

    find(monkeypatch, found())
    send(
        client(people.ada),
        "POST",
        url("roadmap-tradeoffs", roadmap=roadmap),
        accepted(people),
        if_match='"0"',
    )
    other = roadmaps.draw_up(
        organisation=people.north,
        assessment=quick,
        actor=people.ada,
        name="Spring",
        wishes=roadmaps.Wishes(budgets=[WaveBudget(days=8)]),
    )
    row = TradeoffDecision.objects.get()
    place = url("tradeoff-withdraw", roadmap=other, decision=row)
    assert send(client(people.ada), "POST", place).status_code == 404
    assert (
        send(client(people.ada), "GET", url("roadmap-tradeoffs", roadmap=other)).json()["findings"][0][
            "version"
        ]
        == 0
    )


def test_a_token_needs_the_scope(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    from portal.accounts.services import tokens

    find(monkeypatch, found())
    _token, clear = tokens.issue(
        membership=people.ada.memberships.get(), name="reader", scopes=[Action.ROADMAPS_VIEW.value], days=1
    )
    headers, place = {"authorization": f"Bearer {clear}"}, url("roadmap-tradeoffs", roadmap=roadmap)
    assert send(Client(), "GET", place, **headers).status_code == 200
    refused = send(Client(), "POST", place, accepted(people), **headers, if_match='"0"')
    assert refused.status_code == 403


def test_answers_have_the_shape_that_is_described(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    find(monkeypatch, found())
    here, place = client(people.ada), url("roadmap-tradeoffs", roadmap=roadmap)
    send(here, "POST", place, accepted(people), if_match='"0"')
    data = send(here, "GET", place).json()
    one = data["findings"][0]
    for given, shape in (
        (data, tradeoff_shapes.TradeoffsOut()),
        (one, tradeoff_shapes.FindingOut()),
        (one["options"][0], tradeoff_shapes.OptionOut()),
        (one["measures"][0], tradeoff_shapes.AmountOut()),
        (one["decisions"][0], tradeoff_shapes.DecisionOut()),
        (one["decisions"][0]["owner"], tradeoff_shapes.PersonOut()),
    ):
        assert set(given) == set(shape.fields)
