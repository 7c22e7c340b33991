"""The roadmap API: roles and tokens, versions, strict input, the plan it returns."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from llm_remediation.models import Roadmap
from portal.accounts.domain.permissions import TABLE, Action
from tests.llm_remediation.api.calls import ROLES, client, send, url


def wanted(quick: Any, **changes: Any) -> dict[str, Any]:
    budgets = [{"days": 8}, {"days": 10, "blast_radius": "low"}, {"days": 9, "money": None}]
    return {"assessment": str(quick.pk), "name": "Spring", "budgets": budgets} | changes


@pytest.mark.parametrize("role", ROLES)
def test_by_role(people: Any, roadmap: Any, item: Any, role: str) -> None:
    here, ids = client(people.by_role[role]), {"roadmap": roadmap, "item": item}
    for place in (url("roadmaps"), url("roadmap", roadmap=roadmap), url("roadmap-item", **ids)):
        assert send(here, "GET", place).status_code == 200
    edit, close = role in TABLE[Action.ROADMAPS_EDIT], role in TABLE[Action.ROADMAPS_CLOSE]
    assert send(here, "POST", url("roadmaps"), {}).status_code == (400 if edit else 403)
    assert send(here, "PATCH", url("roadmap-item", **ids), {}).status_code == (428 if edit else 403)
    assert send(here, "POST", url("roadmap-item-confirm", **ids), {}).status_code == (428 if close else 403)
    assert send(here, "POST", url("roadmap-item-reopen", **ids)).status_code == (428 if close else 403)
    assert send(here, "DELETE", url("roadmap", roadmap=roadmap)).status_code == 405


def test_strangers_and_foreign_ids_look_alike(people: Any, quick: Any, roadmap: Any, item: Any) -> None:
    eve, ids = client(people.eve), {"roadmap": roadmap, "item": item}
    for slug in ("north", "south"):
        assert send(eve, "GET", url("roadmap", slug, roadmap=roadmap)).status_code == 404
        assert send(eve, "GET", url("roadmap-item", slug, **ids)).status_code == 404
        changed = send(eve, "PATCH", url("roadmap-item", slug, **ids), {"wave": 1}, if_match='"1"')
        assert changed.status_code == 404
    assert send(eve, "POST", url("roadmaps", "south"), wanted(quick)).status_code == 404
    assert send(eve, "GET", url("roadmaps", "south")).json()["results"] == []
    assert send(Client(), "GET", url("roadmaps")).status_code in (401, 403)


def test_drawing_up(people: Any, quick: Any) -> None:
    answer = send(client(people.ada), "POST", url("roadmaps"), wanted(quick, targets={"OBS-01": 4}))
    assert answer.status_code == 201
    data = answer.json()
    assert [wave["key"] for wave in data["waves"]] == ["now", "next", "later"]
    assert data["optimal"] is True and data["changed_by_hand"] is False
    assert data["inputs"]["default_target"] == 3 and data["inputs"]["targets"] == {"OBS-01": 4}
    steps = [step for wave in data["waves"] for step in wave["steps"]]
    assert sum(step["gain"] for step in steps) == pytest.approx(
        data["score"]["after"] - data["score"]["before"], abs=1e-9
    )
    assert all(reason["text"] for step in (*steps, *data["left_out"]) for reason in step["reasons"])
    for wave in data["waves"]:
        assert wave["totals"]["days"] <= wave["budget"]["days"] and wave["over"] == []
    line = send(client(people.ben), "GET", url("roadmaps")).json()["results"][0]
    assert line["id"] == data["id"]
    assert line["score"] == data["score"] and line["steps"] == data["totals"]["steps"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"budgets": []}, "budgets"),
        ({"budgets": [{}] * 13}, "budgets"),
        ({"budgets": [{"days": -1}]}, "budgets[0].days"),
        ({"budgets": [{"days": "8"}]}, "budgets[0].days"),
        ({"budgets": [{}, {"days": True}]}, "budgets[1].days"),
        ({"budgets": [{"money": 1e300}]}, "budgets[0].money"),
        ({"budgets": [{"hours": 3}]}, "budgets[0].hours"),
        ({"budgets": [{"blast_radius": "huge"}]}, "budgets[0].blast_radius"),
        ({"default_target": 6}, "default_target"),
        ({"default_target": 3.0}, "default_target"),
        ({"default_target": 0}, "default_target"),
        ({"targets": {"OBS-01": "3"}}, "targets.OBS-01"),
        ({"targets": {"OBS-99": 3}}, "targets[OBS-99]"),
        ({"name": ""}, "name"),
        ({"assessment": "x"}, "assessment"),
        ({"extra": 1}, "extra"),
    ],
)
def test_bad_input_names_its_place(people: Any, quick: Any, changes: dict[str, Any], place: str) -> None:
    answer = send(client(people.ada), "POST", url("roadmaps"), wanted(quick, **changes))
    assert answer.status_code == 400
    assert (
        answer.json()["error"]["place"].replace("budgets.0", "budgets[0]").replace("budgets.1", "budgets[1]")
        == place
    )
    assert Roadmap.objects.count() == 0


@pytest.mark.parametrize("body", ["{", "[]", "null", '{"budgets": NaN}', '"x"'])
def test_broken_json_is_refused(people: Any, quick: Any, body: str) -> None:
    assert send(client(people.ada), "POST", url("roadmaps"), body).status_code == 400


def test_changing_a_step(people: Any, roadmap: Any, item: Any) -> None:
    here, place = client(people.ada), url("roadmap-item", roadmap=roadmap, item=item)
    first = send(here, "GET", place)
    assert first.headers["ETag"] == '"1"'
    body = {"owner": people.ben.pk, "due": "2027-02-01", "status": "in_progress", "wave": 1}
    answer = send(here, "PATCH", place, body, if_match=first.headers["ETag"])
    assert answer.status_code == 200 and answer.headers["ETag"] == '"2"'
    assert answer.json()["owner"] == {"id": people.ben.pk, "name": str(people.ben)}
    late = send(here, "PATCH", place, {"status": "blocked"}, if_match='"1"')
    assert late.status_code == 409
    extra = late.json()["error"]["extra"]
    assert extra["theirs"]["status"] == "in_progress" and extra["mine"] == {"status": "blocked"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"owner": "1"},
        {"owner": -1},
        {"owner": 10**30},
        {"due": "soon"},
        {"due": 7},
        {"status": None},
        {"status": "confirmed"},
        {"wave": 3},
        {"wave": None},
        {"version": 2},
        {"running_cost_month": "7"},
        {"running_cost_month": True},
        {"running_cost_month": 1e10},
        {"slo_minutes_month": -1},
        {"slo_minutes_month": [3]},
    ],
)
def test_bad_changes_change_nothing(people: Any, roadmap: Any, item: Any, body: dict[str, Any]) -> None:
    place = url("roadmap-item", roadmap=roadmap, item=item)
    assert send(client(people.ada), "PATCH", place, body, if_match='"1"').status_code == 400
    item.refresh_from_db()
    assert item.version == 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_estimates_are_finite(people: Any, roadmap: Any, item: Any, number: str) -> None:
    place = url("roadmap-item", roadmap=roadmap, item=item)
    body = f'{{"running_cost_month": {number}}}'
    assert send(client(people.ada), "PATCH", place, body, if_match='"1"').status_code == 400
    item.refresh_from_db()
    assert (item.version, item.running_cost_month) == (1, None)


def test_estimates_and_the_frontier(people: Any, roadmap: Any) -> None:
    here, rows = client(people.ada), list(roadmap.items.all()[:2])
    for row, cost, minutes in zip(rows, (100, 100.5), (30, 30), strict=True):
        body = {"running_cost_month": cost, "slo_minutes_month": minutes}
        answer = send(here, "PATCH", url("roadmap-item", roadmap=roadmap, item=row), body, if_match='"1"')
        assert answer.status_code == 200 and body.items() <= answer.json().items()
    found = send(client(people.ben), "GET", url("roadmap", roadmap=roadmap)).json()["frontier"]
    first, second = (f"{row.practice}.L{row.to_level}" for row in rows)
    assert found == [
        {"step": first, "running_cost_month": 100, "slo_minutes_month": 30, "dominated_by": None},
        {"step": second, "running_cost_month": 100.5, "slo_minutes_month": 30, "dominated_by": first},
    ]


@pytest.mark.parametrize("version", ["", "*", '"a"', '"-1"', '"1" "2"'])
def test_if_match_must_be_a_version(people: Any, roadmap: Any, item: Any, version: str) -> None:
    place = url("roadmap-item", roadmap=roadmap, item=item)
    assert send(client(people.ada), "PATCH", place, {"wave": 1}, if_match=version).status_code == 400


def test_closing(people: Any, roadmap: Any, item: Any) -> None:
    ids = {"roadmap": roadmap, "item": item}
    here = client(people.ada)
    send(here, "PATCH", url("roadmap-item", **ids), {"owner": people.ada.pk}, if_match='"1"')
    own = send(here, "POST", url("roadmap-item-confirm", **ids), {"evidence": "log"}, if_match='"2"')
    assert (own.status_code, own.json()["error"]["code"]) == (403, "own_step")
    reviewer = client(people.by_role["reviewer"])
    none = send(reviewer, "POST", url("roadmap-item-confirm", **ids), {"evidence": " "}, if_match='"2"')
    assert none.status_code == 400
    done = send(reviewer, "POST", url("roadmap-item-confirm", **ids), {"evidence": "log 17"}, if_match='"2"')
    assert done.json()["status"] == "confirmed" and done.json()["confirmation"] == "log 17"
    back = send(reviewer, "POST", url("roadmap-item-reopen", **ids), if_match='"3"')
    assert back.json()["status"] == "in_progress" and back.json()["confirmed_by"] is None


def test_a_token_needs_the_scope(people: Any, roadmap: Any, item: Any) -> None:
    from portal.accounts.services import tokens

    _token, clear = tokens.issue(
        membership=people.ada.memberships.get(), name="reader", scopes=[Action.ROADMAPS_VIEW.value], days=1
    )
    headers = {"authorization": f"Bearer {clear}"}
    assert send(Client(), "GET", url("roadmap", roadmap=roadmap), **headers).status_code == 200
    place = url("roadmap-item", roadmap=roadmap, item=item)
    refused = send(Client(), "PATCH", place, {"wave": 1}, **headers, if_match='"1"')
    assert refused.status_code == 403
