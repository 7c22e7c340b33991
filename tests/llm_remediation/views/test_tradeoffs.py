"""Trade-offs on the roadmap page: who decides, refusals at their field, expired, withdrawn, chips, charts."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessments.domain.dimensions import Dimension
from assessments.services import kpis
from llm_remediation.domain.tradeoffs import t3, t8
from llm_remediation.domain.tradeoffs.model import Finding, FindingState
from llm_remediation.models import TradeoffDecision
from llm_remediation.views import tradeoff_charts, tradeoff_rows
from portal.accounts.domain.permissions import TABLE, Action
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, situation
from tests.llm_remediation.findings import find, found

ROLES = ["owner", "admin", "assessor", "reviewer", "operator", "viewer"]
RESERVED = "Peak until June"


def client(user: Any) -> Client:
    made = Client(raise_request_exception=True)
    made.force_login(user)
    return made


def url(name: str, roadmap: Any, slug: str = "north", **kwargs: Any) -> str:
    return reverse(f"roadmaps:{name}", kwargs={"slug": slug, "roadmap_id": roadmap.pk, **kwargs})


def day(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def first_step(roadmap: Any) -> str:
    one = roadmap.items.first()
    return f"{one.practice}.L{one.to_level}"


def here(roadmap: Any, monkeypatch: Any, **changes: Any) -> Finding:
    """A finding about the first step of the roadmap."""
    one = found(items=(first_step(roadmap),), **changes)
    find(monkeypatch, one)
    return one


def data(people: Any, kind: str = "accepted", **changes: Any) -> dict[str, Any]:
    values: dict[str, dict[str, Any]] = {
        "option": {"option": "faster_cold_start", "owner": people.ben.pk},
        "accepted": {"reason": RESERVED, "owner": people.ben.pk, "expires_on": day(30)},
        "dismissed": {"reason": "The replica is shared"},
    }
    return {"rule": "T1", "service": "chat", "version": "0", "kind": kind, **values[kind], **changes}


def decide(user: Any, roadmap: Any, values: dict[str, Any]) -> Any:
    return client(user).post(url("tradeoff-decide", roadmap), values)


def shown(user: Any, roadmap: Any, query: str = "") -> str:
    return unescape(client(user).get(url("detail", roadmap) + query).content.decode())


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(people: Any, roadmap: Any, monkeypatch: Any, role: str) -> None:
    here(roadmap, monkeypatch)
    user = people.by_role[role]
    page, may = shown(user, roadmap), role in TABLE[Action.ROADMAPS_EDIT]
    assert "With the plan 120 USD/month are spent; the budget is 100 USD/month." in page
    assert "Start cold faster" in page and "needs COST-05 at level 3 first" in page
    for button in ("Choose option", "Accept until date", "Dismiss as wrong"):
        assert (button in page) is may
    assert decide(user, roadmap, data(people)).status_code == (302 if may else 403)
    assert TradeoffDecision.objects.count() == may


def test_strangers_and_foreign_ids_look_alike(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    here(roadmap, monkeypatch)
    decide(people.ada, roadmap, data(people))
    row = TradeoffDecision.objects.get()
    for slug in ("north", "south"):
        eve = client(people.eve)
        assert eve.post(url("tradeoff-decide", roadmap, slug), data(people)).status_code == 404
        place = url("tradeoff-withdraw", roadmap, slug, decision_id=row.pk)
        assert eve.post(place).status_code == 404
    assert client(people.ben).post(url("tradeoff-withdraw", roadmap, decision_id=row.pk)).status_code == 403
    row.refresh_from_db()
    assert row.withdrawn_at is None and TradeoffDecision.objects.count() == 1
    assert "Withdraw" not in shown(people.ben, roadmap)
    assert Client().post(url("tradeoff-decide", roadmap), data(people)).status_code == 302


@pytest.mark.parametrize("kind", ["option", "accepted", "dismissed"])
def test_a_decision_is_made_and_shown(people: Any, roadmap: Any, monkeypatch: Any, kind: str) -> None:
    one = here(roadmap, monkeypatch)
    assert "1 trade-off waits for a decision" in shown(people.ada, roadmap)
    answer = decide(people.ada, roadmap, data(people, kind))
    row = TradeoffDecision.objects.get()
    assert answer["Location"] == f"{url('detail', roadmap)}?decided={row.pk}#{tradeoff_rows.key(one)}"
    page = shown(people.ben, roadmap)
    assert "waits for a decision" not in page and "decided by Ada" in page
    assert ("Owner: Ben" in page) is (kind != "dismissed")
    assert (f"until {day(30)}" in page) is (kind == "accepted")
    assert ("Start cold faster instead of keeping a replica warm (RCV-04)</strong>" in page) is (
        kind == "option"
    )
    assert (RESERVED in page) is (kind == "accepted") and ("shared" in page) is (kind == "dismissed")
    assert "· decided</a>" in page
    assert "Decision saved" in shown(people.ada, roadmap, f"?decided={row.pk}")


@pytest.mark.parametrize(
    ("kind", "changes", "fields"),
    [
        ("option", {"option": ""}, {"option"}),
        ("option", {"option": "wishful"}, {"option"}),
        ("option", {"option": "spot_replica"}, {"option"}),
        ("option", {"option": "", "owner": ""}, {"option", "owner"}),
        ("option", {"owner": "0"}, {"owner"}),
        ("option", {"owner": "9" * 40}, {"owner"}),
        ("option", {"reason": "x" * 2001}, {"reason"}),
        ("accepted", {"reason": " ", "owner": "", "expires_on": ""}, {"reason", "owner", "expires_on"}),
        ("accepted", {"expires_on": day(0)}, {"expires_on"}),
        ("accepted", {"expires_on": day(366)}, {"expires_on"}),
        ("accepted", {"expires_on": "soon"}, {"expires_on"}),
        ("accepted", {"expires_on": "9999-99-99"}, {"expires_on"}),
        ("accepted", {"reason": "a\x00b"}, {"reason"}),
        ("accepted", {"reason": "ballast_" + "a" * 30}, {"reason"}),
        ("dismissed", {"reason": ""}, {"reason"}),
    ],
)
def test_bad_input_is_refused_at_its_field_and_nothing_is_lost(
    people: Any, roadmap: Any, monkeypatch: Any, kind: str, changes: dict[str, str], fields: set[str]
) -> None:
    here(roadmap, monkeypatch)
    values = data(people, kind, **changes)
    answer = decide(people.ada, roadmap, values)
    assert answer.status_code == 400 and not TradeoffDecision.objects.exists()
    form = answer.context["tradeoffs"].waiting[0].forms[kind]
    assert set(form.errors) == fields
    page = answer.content.decode()
    for name in fields:
        assert f'id="{form[name].auto_id}_error"' in page
        assert f'href="#{form[name].id_for_label or form[name].auto_id}"' in page
    assert all(
        (form[name].value() or "") == str(values.get(name, "")) for name in form.fields if name != "option"
    )
    if "reason" not in fields and kind == "accepted":
        assert RESERVED in page


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "T9"},
        {"rule": ""},
        {"service": "search"},
        {"service": "chat "},
        {"version": "x"},
        {"version": "-1"},
        {"version": "9" * 5000},
        {"kind": "postponed"},
        {"rule": "\x00"},
    ],
)
def test_a_form_about_nothing_is_refused(
    people: Any, roadmap: Any, monkeypatch: Any, changes: dict[str, str]
) -> None:
    here(roadmap, monkeypatch)
    answer = decide(people.ada, roadmap, data(people) | changes)
    assert answer.status_code == 400 and b'role="alert"' in answer.content
    assert not TradeoffDecision.objects.exists()


def test_two_people_see_both_values_and_can_go_on(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    here(roadmap, monkeypatch)
    decide(people.by_role["admin"], roadmap, data(people, "dismissed"))
    answer = decide(people.ada, roadmap, data(people))
    assert answer.status_code == 409 and TradeoffDecision.objects.count() == 1
    page = unescape(answer.content.decode())
    assert "Theirs: Dismissed as wrong · The replica is shared" in page
    assert f"Yours: Accepted until a date · owner: Ben · until {day(30)} · {RESERVED}" in page
    version = re.search(r'name="version" value="(\d+)"><input type="hidden" name="kind"', page)
    assert version and version.group(1) == "1"
    assert decide(people.ada, roadmap, data(people, version="1")).status_code == 302
    assert TradeoffDecision.objects.count() == 2


def test_what_is_not_real_any_more_keeps_what_was_typed(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    here(roadmap, monkeypatch, state=FindingState.quiet)
    answer = decide(people.ada, roadmap, data(people))
    assert answer.status_code == 409
    assert f"until {day(30)} · {RESERVED}" in unescape(answer.content.decode())


def test_withdrawn_and_expired_ones_are_open_again(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    one = here(roadmap, monkeypatch)
    decide(people.ada, roadmap, data(people))
    row = TradeoffDecision.objects.get()
    TradeoffDecision.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    page = shown(people.ada, roadmap)
    assert f"It was accepted until {day(-1)}. That day has passed, so it is open again." in page
    assert "waits for a decision" in page and "Choose option" in page and "Earlier decisions" in page
    TradeoffDecision.objects.update(expires_on=timezone.localdate())
    assert "waits for a decision" not in shown(people.ada, roadmap)
    place = url("tradeoff-withdraw", roadmap, decision_id=row.pk)
    answer = client(people.ada).post(place)
    assert answer["Location"] == f"{url('detail', roadmap)}#{tradeoff_rows.key(one)}"
    page = shown(people.ada, roadmap)
    assert "Ada withdrew the decision on" in page and "waits for a decision" in page
    again = client(people.ada).post(place)
    assert again.status_code == 409 and "withdrawn already" in unescape(again.content.decode())


def test_a_new_step_opens_a_decision_again(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    here(roadmap, monkeypatch)
    decide(people.ada, roadmap, data(people))
    TradeoffDecision.objects.update(steps=["REL-99.L2"])
    page = shown(people.ada, roadmap)
    assert "The plan has gained a step since it was decided" in page and "waits for a decision" in page


def test_chips_and_balance_say_what_is_paid(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    one = here(roadmap, monkeypatch)
    page = shown(people.ben, roadmap)
    chip = f'href="#{tradeoff_rows.key(one)}">▼ costs COST: 4.5 USD/min · chat</a>'
    assert page.count(chip) == 1
    assert f'balance__fall" href="#{tradeoff_rows.key(one)}">▼ 4.5 USD/min · chat</a>' in page
    assert f'<article class="card tradeoff" id="{tradeoff_rows.key(one)}"' in page
    falls = {
        each.row.dimension: each.falls
        for each in client(people.ben).get(url("detail", roadmap)).context["dimensions"]
    }
    assert [len(falls[each]) for each in Dimension] == [0, 0, 0, 0, 0, 1]


def test_what_is_not_measured_names_its_numbers(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    lacking = {"measures": (), "thresholds": (), "price": (), "missing": ("spend_month", "COST-05")}
    one = here(roadmap, monkeypatch, state=FindingState.not_measured, **lacking)
    page = shown(people.ada, roadmap)
    assert f'href="#{tradeoff_rows.key(one)}">▼ may cost COST (not measured) · chat</a>' in page
    assert "spending per month · the level of COST-05" in page
    assert "waits for a decision" not in page and "Choose option" not in page
    assert "1 step may cost it (not measured)" in page


def test_quiet_ones_leave_the_step_alone(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    here(roadmap, monkeypatch, state=FindingState.quiet)
    page = shown(people.ada, roadmap)
    assert "1 measured without a conflict" in page and "costs COST" not in page


def test_services_with_any_name_have_ids_of_their_own(people: Any, roadmap: Any, monkeypatch: Any) -> None:
    names = ["", "chat", "a b", '"><script>', "模型"]
    rows = [found(items=(first_step(roadmap),), service=each) for each in names]
    find(monkeypatch, *rows)
    page = client(people.ada).get(url("detail", roadmap)).content.decode()
    ids = re.findall(r'<article class="card tradeoff" id="([A-Za-z0-9-]+)"', page)
    assert (
        len(set(ids)) == len(names) and "<script>" not in page.split("<main", 1)[1].split("tradeoffs-h")[-1]
    )
    every = re.findall(r' id="([^"]+)"', page)
    assert len(every) == len(set(every))


def test_the_page_works_on_real_numbers(people: Any, roadmap: Any, quick: Any) -> None:
    """A recovery of 300 s of which 150 s are crypto and approval: T3, drawn, in both languages."""
    now = timezone.now()
    kpis.set_numbers(
        cluster=quick.cluster,
        actor=people.ada,
        numbers=[kpis.Given(name, value) for name, value in (RECOVERY | {"drill_total_s": 360.0}).items()],
        start=now - timedelta(days=2),
        end=now - timedelta(days=1),
    )
    page = shown(people.ada, roadmap)
    assert "took 50\u202f% of the RTO in the last drill; the threshold is 30\u202f%." in page
    assert "It stands today, whatever the plan." in page or "SEC-0" in page
    assert (
        page.count('id="tradeoff-T3-figure-title"') == 1
        and "Time of the last recovery drill by phase" in page
    )
    people.ada.language = "zh-hans"
    chinese = client(people.ada)
    chinese.cookies["django_language"] = "zh-hans"
    answer = chinese.get(url("detail", roadmap)).content.decode()
    assert "恢复" in answer and "Time of the last recovery drill" not in answer


RECOVERY: dict[str, Any] = {
    "drill_verify_s": 52.0, "drill_decrypt_s": 18.0, "drill_authenticate_s": 14.0, "drill_approve_s": 66.0,
    "rto_s": 300.0,
}  # fmt: skip
WAITING = {
    "engine_activity": 80.0,
    "queue_wait_p95_ms": 400.0,
    "engine_activity_target": 85.0,
    "ttft_target_ms": 500.0,
}


def test_the_stack_holds_the_phases_and_the_rest() -> None:
    """150 s of crypto and approval, 360 − 150 = 210 s of everything else."""
    finding = only(t3.RULE, situation(**RECOVERY, drill_total_s=360.0))
    figure = tradeoff_charts.figure(finding, "k")
    assert figure and [cells for _name, cells in figure.rows] == [
        [each] for each in ("52 s", "18 s", "14 s", "66 s", "210 s", "300 s")
    ]
    assert "threshold for the security steps: 90 s" in figure.svg  # 30 % of 300 s
    short = tradeoff_charts.figure(only(t3.RULE, situation(**RECOVERY)), "k")
    assert short and len(short.rows) == 5


def test_the_curve_goes_through_the_measured_point() -> None:
    """u / (1 − u) is 4 at 80 % and 9 at 90 %: 400 ms become 900 ms; at 50 % 100 ms."""
    finding = only(t8.RULE, situation(of={"chat": WAITING}))
    figure = tradeoff_charts.figure(finding, "k")
    assert figure
    rows = {name.replace("\u202f", ""): cells[0] for name, cells in figure.rows}
    assert (rows["50%"], rows["80%"], rows["90%"]) == ("100 ms", "400 ms", "900 ms")
    assert "threshold for the wait: 250 ms" in figure.svg


@pytest.mark.parametrize("changes", [{"engine_activity": 100.0}, {"engine_activity": 0.0}])
def test_no_curve_where_the_point_fixes_none(changes: dict[str, float]) -> None:
    finding = only(t8.RULE, situation(of={"chat": WAITING | changes}))
    assert tradeoff_charts.figure(finding, "k") is None


def test_only_two_rules_draw() -> None:
    assert tradeoff_charts.figure(found(), "k") is None
    without = {name: value for name, value in WAITING.items() if name != "engine_activity"}
    assert tradeoff_charts.figure(only(t8.RULE, situation(of={"chat": without})), "k") is None
    assert tradeoff_charts.figure(only(t3.RULE, situation()), "k") is None
