"""Running cost against SLO minutes saved: entered at steps, drawn, told in words, in the CSV; who sees it."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from llm_remediation.services.items import step_id


def client(user: Any) -> Client:
    made = Client()
    made.force_login(user)
    return made


def url(name: str, roadmap: Any, item: Any = None, slug: str = "north") -> str:
    kwargs = {"slug": slug, "roadmap_id": roadmap.pk}
    if item is not None:
        kwargs["item_id"] = item.pk
    return reverse(f"roadmaps:{name}", kwargs=kwargs)


def words(reply: Any) -> str:
    """The page without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", reply.content.decode()))


def send(user: Any, roadmap: Any, item: Any, version: int = 1, **values: str) -> Any:
    return client(user).post(url("item", roadmap, item), {"version": str(version), **values})


@pytest.fixture
def estimated(people: Any, roadmap: Any) -> list[Any]:
    """Four steps: 100 for 30 min; 120 for 25; 100 for 20; −50 for 0.5. The first dominates two."""
    steps = list(roadmap.items.all()[:5])
    for item, (cost, minutes) in zip(
        steps, (("100", "30"), ("120", "25"), ("100", "20"), ("-50", "0.5")), strict=False
    ):
        reply = send(people.ada, roadmap, item, running_cost_month=cost, slo_minutes_month=minutes)
        assert reply.status_code == 302
    return steps


def test_without_estimates_it_says_what_to_enter(people: Any, roadmap: Any) -> None:
    reply = client(people.ben).get(url("detail", roadmap))
    assert "Enter for each step what it costs a month to run" in words(reply)
    assert reply.context["pareto"].figure is None and 'id="pareto"' not in reply.content.decode()


def test_the_frontier_and_who_dominates(people: Any, roadmap: Any, estimated: list[Any]) -> None:
    reply = client(people.ben).get(url("detail", roadmap))
    rows = reply.context["pareto"].rows
    first, second, third, fourth = (f"{each.practice} → {each.to_level}" for each in estimated[:4])
    assert {row.step: row.dominated for row in rows} == {
        fourth: False,
        first: False,
        third: True,
        second: True,
    }
    assert rows[0].step == fourth  # the cheapest first
    why = {row.step: row.why.replace("\u202f", " ") for row in rows}
    assert why[second] == f"{first} costs 20 USD less and saves 5 min more"
    assert why[third] == f"{first} costs as much and saves 10 min more"
    page = reply.content.decode()
    assert why[second] in words(reply) and "−50 USD" in words(reply)
    assert 'id="frontier"' not in page and 'aria-labelledby="frontier-title frontier-desc"' in page
    assert "Enter for each step what it costs" not in page


def test_half_an_estimate_is_named_with_its_step(people: Any, roadmap: Any, item: Any) -> None:
    send(people.ada, roadmap, item, running_cost_month="7")
    reply = client(people.ben).get(url("detail", roadmap))
    assert "One of the two numbers lacks:" in words(reply) and "(SLO minutes saved)" in words(reply)
    assert reply.context["pareto"].rows == []
    assert f'href="#item-{item.pk}"' in reply.content.decode()


def test_a_viewer_reads_estimates_and_cannot_write_them(
    people: Any, roadmap: Any, estimated: list[Any]
) -> None:
    assert "running cost 100 USD a month · saves 30 SLO minutes a month" in words(
        client(people.ben).get(url("detail", roadmap))
    )
    assert send(people.ben, roadmap, estimated[0], 2, running_cost_month="1").status_code == 403
    assert 'name="running_cost_month"' not in client(people.ben).get(url("detail", roadmap)).content.decode()
    for slug in ("north", "south"):
        place = url("item", roadmap, estimated[0], slug)
        assert client(people.eve).post(place, {"version": "2", "running_cost_month": "1"}).status_code == 404
        assert client(people.eve).get(url("detail", roadmap, slug=slug)).status_code == 404
    estimated[0].refresh_from_db()
    assert (estimated[0].version, estimated[0].running_cost_month) == (2, 100.0)


def test_who_comes_second_sees_both_numbers(people: Any, roadmap: Any, estimated: list[Any]) -> None:
    reply = send(people.by_role["operator"], roadmap, estimated[0], 1, running_cost_month="64.5")
    assert reply.status_code == 409
    assert "running cost: 100 · SLO minutes saved: 30" in words(reply)
    assert "running cost: 64.5" in words(reply)


def test_fields_hold_what_was_typed_and_empty_clears(people: Any, roadmap: Any, estimated: list[Any]) -> None:
    page = client(people.ada).get(url("detail", roadmap)).content.decode()
    assert re.search(r'name="slo_minutes_month" value="0\.5"', page)
    assert re.search(r'name="running_cost_month" value="-50"', page)
    send(people.ada, roadmap, estimated[0], 2, running_cost_month="", slo_minutes_month="")
    estimated[0].refresh_from_db()
    assert (estimated[0].running_cost_month, estimated[0].slo_minutes_month) == (None, None)
    send(people.ada, roadmap, estimated[1], 2, status="blocked")  # what is not sent stays
    estimated[1].refresh_from_db()
    assert estimated[1].running_cost_month == 120.0


def test_the_csv_has_estimates_and_who_dominates(people: Any, roadmap: Any, estimated: list[Any]) -> None:
    text = client(people.ben).get(url("csv", roadmap)).content.decode("utf-8-sig")
    rows = {row["step"]: row for row in csv.DictReader(io.StringIO(text))}
    first, second = rows[step_id(estimated[0])], rows[step_id(estimated[1])]
    assert float(first["running_cost_month"]) == 100 and first["dominated_by"] == ""
    assert float(second["slo_minutes_month"]) == 25 and second["dominated_by"] == step_id(estimated[0])
    rest = rows[step_id(estimated[4])]
    assert (rest["running_cost_month"], rest["slo_minutes_month"], rest["dominated_by"]) == ("", "", "")
    assert rest["status"] == "planned" and rest["confirmed_by"] == ""
