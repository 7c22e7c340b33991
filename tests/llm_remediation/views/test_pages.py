"""Roadmap pages: who sees and changes what, the same numbers as the API, refusals in their place."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from llm_remediation import selectors
from llm_remediation.models import Roadmap
from portal.accounts.domain.permissions import TABLE, Action

ROLES = ["owner", "admin", "assessor", "reviewer", "operator", "viewer"]


def client(user: Any) -> Client:
    made = Client(raise_request_exception=True)
    made.force_login(user)
    return made


def url(name: str, roadmap: Any = None, item: Any = None, slug: str = "north") -> str:
    kwargs = {"slug": slug}
    if roadmap is not None:
        kwargs["roadmap_id"] = roadmap.pk
    if item is not None:
        kwargs["item_id"] = item.pk
    return reverse(f"roadmaps:{name}", kwargs=kwargs)


def form(quick: Any, **changes: Any) -> dict[str, Any]:
    data = {"assessment": str(quick.pk), "name": "Spring", "default_target": "3"}
    for wave, days in enumerate((8, 10, 9)):
        data[f"wave_{wave}_days"] = str(days)
    return data | changes


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(people: Any, roadmap: Any, item: Any, role: str) -> None:
    here = client(people.by_role[role])
    for name, action in (
        ("list", Action.ROADMAPS_VIEW),
        ("new", Action.ROADMAPS_EDIT),
        ("detail", Action.ROADMAPS_VIEW),
        ("csv", Action.ROADMAPS_VIEW),
    ):
        place = url(name, roadmap if name in ("detail", "csv") else None)
        assert here.get(place).status_code == (200 if role in TABLE[action] else 403), name
    for name, action in (
        ("item", Action.ROADMAPS_EDIT),
        ("item-confirm", Action.ROADMAPS_CLOSE),
        ("item-reopen", Action.ROADMAPS_CLOSE),
    ):
        status = here.post(url(name, roadmap, item), {"version": "7", "status": "blocked"}).status_code
        assert status == (403 if role not in TABLE[action] else 409 if name != "item-confirm" else 400), name


def test_strangers_and_foreign_ids_look_alike(people: Any, roadmap: Any, item: Any) -> None:
    eve = client(people.eve)
    for slug in ("north", "south"):
        for name in ("detail", "csv"):
            assert eve.get(url(name, roadmap, slug=slug)).status_code == 404
        for name in ("item", "item-confirm", "item-reopen"):
            assert eve.post(url(name, roadmap, item, slug=slug), {"version": "1"}).status_code == 404
    assert eve.get(url("list")).status_code == 404
    assert b"Winter" not in eve.get(url("list", slug="south")).content
    item.refresh_from_db()
    assert item.version == 1
    assert Client().get(url("detail", roadmap)).status_code == 302


def test_a_foreign_assessment_cannot_be_chosen(people: Any, quick: Any) -> None:
    answer = client(people.eve).post(url("new", slug="south"), form(quick))
    assert answer.status_code == 400
    assert Roadmap.objects.count() == 0


def test_drawing_up_in_the_browser(people: Any, quick: Any) -> None:
    here = client(people.ada)
    page = here.get(url("new") + f"?assessment={quick.pk}")
    assert f'value="{quick.pk}" selected' in page.content.decode()
    answer = here.post(url("new"), form(quick, **{"wave_1_blast_radius": "low", "target_OBS-01": "4"}))
    made = Roadmap.objects.get()
    assert answer.status_code == 302 and answer["Location"] == url("detail", made)
    assert made.inputs["budgets"][1]["blast_radius"] == "low"
    assert made.inputs["targets"] == {"OBS-01": 4}
    assert made.inputs["budgets"][0] == {"days": 8.0, "gpu_hours": None, "money": None, "blast_radius": None}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"wave_0_days": "-1"}, "wave_0_days"),
        ({"wave_0_days": "many"}, "wave_0_days"),
        ({"wave_1_gpu_hours": "nan"}, "wave_1_gpu_hours"),
        ({"wave_1_money": "inf"}, "wave_1_money"),
        ({"wave_2_money": "1e300"}, "wave_2_money"),
        ({"wave_2_days": "9" * 5000}, "wave_2_days"),
        ({"wave_2_blast_radius": "huge"}, "wave_2_blast_radius"),
        ({"default_target": "6"}, "default_target"),
        ({"default_target": "0"}, "default_target"),
        ({"target_OBS-01": "x"}, "target_OBS-01"),
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"assessment": "nothing"}, "assessment"),
    ],
)
def test_bad_input_is_refused_at_its_field(
    people: Any, quick: Any, changes: dict[str, str], field: str
) -> None:
    answer = client(people.ada).post(url("new"), form(quick, **changes))
    assert answer.status_code == 400
    assert set(answer.context["form"].errors) == {field}
    assert Roadmap.objects.count() == 0


def test_the_page_shows_the_numbers_of_the_api(people: Any, roadmap: Any) -> None:
    here = client(people.ben)
    page = here.get(url("detail", roadmap)).content.decode()
    data = here.get(
        reverse("api-roadmap", kwargs={"slug": "north", "roadmap_id": roadmap.pk}),
        headers={"accept": "application/json"},
    ).json()

    def shown(name: str) -> str:
        found = re.search(rf'data-number="{name}">(.*?)</span>\s*(?:<span class="stat__|<)', page, re.S)
        assert found, name
        return re.sub(r"<[^>]+>", "", found.group(1)).split()[0]

    assert shown("before") == f"{data['score']['before']:.2f}"
    assert shown("after") == f"{data['score']['after']:.2f}"
    assert shown("steps") == str(data["totals"]["steps"])
    assert shown("days") == f"{data['totals']['days']:.1f}"
    assert shown("money") == f"{data['totals']['money']:,.0f}"
    ids = [step["item"]["id"] for wave in data["waves"] for step in wave["steps"]]
    assert re.findall(r'id="item-([0-9a-f-]+)"', page) == ids
    assert page.count('class="step__why"') == len(data["left_out"]) > 0


def test_every_left_out_step_says_why(people: Any, roadmap: Any) -> None:
    page = client(people.ada).get(url("detail", roadmap)).content.decode()
    reasons = re.findall(r'<td class="step__why">(.*?)<', page, re.S)
    assert reasons and all(len(each) > 10 for each in reasons)


def test_changing_a_step_and_being_second(people: Any, roadmap: Any, item: Any) -> None:
    here = client(people.ada)
    sent = {"version": "1", "owner": str(people.ben.pk), "due": "2027-01-15", "status": "blocked"}
    answer = here.post(url("item", roadmap, item), sent)
    assert answer.status_code == 302 and answer["Location"].endswith(f"#item-{item.pk}")
    item.refresh_from_db()
    assert (item.owner, str(item.due), item.status, item.wave) == (people.ben, "2027-01-15", "blocked", 0)
    again = here.post(url("item", roadmap, item), {"version": "1", "status": "in_progress"})
    page = again.content.decode()
    assert again.status_code == 409
    assert "Somebody else changed this step" in page
    assert "Blocked" in page and "In progress" in page
    item.refresh_from_db()
    assert item.status == "blocked"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"version": "x"},
        {"version": "1"},
        {"version": "1", "due": "tomorrow"},
        {"version": "1", "owner": "9" * 40},
        {"version": "1", "wave": ""},
        {"version": "1", "wave": "9"},
        {"version": "1", "status": "confirmed"},
        {"version": "1", "running_cost_month": "much"},
        {"version": "1", "running_cost_month": "nan"},
        {"version": "1", "running_cost_month": "1e10"},
        {"version": "1", "slo_minutes_month": "-1"},
        {"version": "1", "slo_minutes_month": "9" * 5000},
    ],
)
def test_bad_changes_are_refused_at_the_step(
    people: Any, roadmap: Any, item: Any, sent: dict[str, str]
) -> None:
    answer = client(people.ada).post(url("item", roadmap, item), sent)
    assert answer.status_code == 400
    assert 'class="banner banner--fail" role="alert"' in answer.content.decode()
    item.refresh_from_db()
    assert item.version == 1


def test_closing_in_the_browser(people: Any, roadmap: Any, item: Any) -> None:
    client(people.ada).post(url("item", roadmap, item), {"version": "1", "owner": str(people.ben.pk)})
    reviewer = client(people.by_role["reviewer"])
    answer = reviewer.post(url("item-confirm", roadmap, item), {"version": "2", "evidence": "<b>log 17</b>"})
    assert answer.status_code == 302
    page = reviewer.get(url("detail", roadmap)).content.decode()
    assert "Confirmed, not replayed" in page and "&lt;b&gt;log 17&lt;/b&gt;" in page
    assert reviewer.post(url("item-reopen", roadmap, item), {"version": "3"}).status_code == 302
    item.refresh_from_db()
    assert item.status == "in_progress"


def test_csv_has_every_step_and_no_formula(people: Any, roadmap: Any) -> None:
    Roadmap.objects.filter(pk=roadmap.pk).update(name="=1+1")
    answer = client(people.ben).get(url("csv", roadmap))
    text = answer.content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    found = selectors.detail(people.north, roadmap.pk)
    assert [row["step"] for row in rows] == [s.candidate.id for s in (*found.steps, *found.left_out)]
    assert float(rows[0]["gain"]) == found.steps[0].candidate.gain
    assert rows[-1]["status"] == "left_out"
    assert not [cell for row in rows for cell in row.values() if cell and cell[0] in "=+-@"]


def test_empty_states(people: Any, quick: Any) -> None:
    assert "No roadmap yet" in client(people.ada).get(url("list")).content.decode()
    south = client(people.eve)
    assert "No assessment yet" in south.get(url("new", slug="south")).content.decode()
    assert "No roadmap yet" in south.get(url("list", slug="south")).content.decode()


def test_a_viewer_gets_no_controls(people: Any, roadmap: Any) -> None:
    page = client(people.ben).get(url("detail", roadmap)).content.decode()
    assert 'data-island="roadmap-step"' not in page and 'name="owner"' not in page
    assert "Close this step" not in page
