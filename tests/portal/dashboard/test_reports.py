"""From an assessment to its PDF: by page, by API, by command; all with the numbers of the scorecard."""

from __future__ import annotations

import io
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from assessments import selectors as assessments
from frontend.templatetags.ui import number
from llm_remediation.domain.model import WaveBudget
from llm_remediation.services import roadmaps
from portal.accounts.models import Organisation, User
from portal.dashboard import report_data
from portal.errors import NotFound
from portal.reports import schema, tasks
from portal.reports.models import Report, ReportState
from tests.portal.reports.test_schema import problems

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation(people: Any) -> Organisation:
    """The demo organisation; the people of the other tests stay strangers to it."""
    call_command("load_matrix", verbosity=0)
    call_command("demo", language="en", verbosity=0)
    return Organisation.objects.get(slug="ballast-demo")


@pytest.fixture
def rows(organisation: Organisation) -> dict[str, Any]:
    return {row.cluster.name: row for row in assessments.assessments(organisation)}


@pytest.fixture
def owner(organisation: Organisation) -> Any:
    return User.objects.get(memberships__organisation=organisation, memberships__role="owner")


def compose(organisation: Any, row: Any, language: str = "en", against: str = "") -> Any:
    order = report_data.Order(language, "Ada", against)
    return report_data.compose(organisation, row.pk, order, as_of=timezone.now())


def text_of(pdf: bytes) -> str:
    return re.sub(r"\s+", "", "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def test_the_data_are_the_scorecard_and_fit_the_schema(organisation: Any, rows: Any, owner: Any) -> None:
    one, other = rows["华北-B"], rows["华北-A"]
    roadmaps.draw_up(
        organisation=organisation,
        assessment=one,
        actor=owner,
        name="Plan",
        wishes=roadmaps.Wishes([WaveBudget(20, 40, None), WaveBudget(20, 40, None)]),
    )
    for language in ("en", "zh-hans"):
        data = compose(organisation, one, language, f"a:{other.pk}")
        assert problems(data, schema.ReportData, "data") == []
        assert data["language"] == {"en": "en", "zh-hans": "zh-Hans"}[language]
        card = assessments.scorecard(one).as_dict()
        for key in ("score", "claimed", "demonstrated", "completeness", "weakest"):
            assert data["overall"][key] == card["overall"][key]
        for row in data["dimensions"]:
            assert row["score"] == card["dimensions"][row["code"]]["score"]
        for row in data["practices"]:
            found = card["practices"][row["id"]]
            assert [row[key] for key in ("claimed", "demonstrated", "current", "state")] == [
                found[key] for key in ("claimed", "demonstrated", "current", "state")
            ]
        road = data["roadmap"]
        assert road and len(road["waves"]) == 2 and road["left_out"]
        assert data["comparison"] and data["comparison"]["refused"] == ""
    # In Chinese, nothing that we wrote is left in English.
    said = [*data["executive"]["confidence"], data["executive"]["verdict"], *data["warnings"]]
    said += [each["words"] for each in data["comparison"]["dimensions"]]
    said += [each["why"] for each in road["left_out"]]
    assert all(re.search(r"[\u4e00-\u9fff]", each) for each in said)


def test_then_is_the_last_milestone_that_differs(organisation: Any, rows: Any) -> None:
    data = compose(organisation, rows["华北-A"])
    assert data["baseline"] and data["baseline"]["kind"] == "milestone"
    assert data["baseline"]["name"] == "Before the sprint"
    assert data["baseline"]["overall"] < data["overall"]["score"]
    assert compose(organisation, rows["华北-B"])["baseline"] is None
    against = compose(organisation, rows["华北-B"], against=f"a:{rows['华北-A'].pk}")
    assert against["baseline"]["kind"] == "cluster"


def test_an_unfinished_quick_scan_has_a_report_and_no_comparison_of_unlike_scopes(
    organisation: Any, rows: Any
) -> None:
    data = compose(organisation, rows["华东-T"], against=f"a:{rows['华北-A'].pk}")
    assert data["overall"]["score"] is None and len(data["practices"]) == 12
    assert "scope differs" in data["comparison"]["refused"]
    assert data["baseline"] is None
    assert problems(data, schema.ReportData, "data") == []


def test_foreign_and_senseless_sides_are_unknown(organisation: Any, rows: Any, people: Any) -> None:
    one = rows["华北-B"]
    for against in ("a:1", "x", "m:" + str(one.pk), "a:"):
        with pytest.raises(NotFound):
            compose(organisation, one, against=against)
    with pytest.raises(NotFound):
        compose(people.south, one)


def test_by_page_queue_worker_download(organisation: Any, rows: Any, owner: Any) -> None:
    client = Client()
    client.force_login(owner)
    base = "/o/ballast-demo/reports/"
    form = client.get(f"{base}new").content.decode()
    assert str(rows["华北-B"].pk) in form and "Before the sprint" in form
    # As the button on the results page sends it.
    reply = client.post(f"{base}new", {"assessment": rows["华北-B"].pk, "language": "zh-hans"})
    assert reply.status_code == 302
    row = Report.objects.get()
    assert reply["Location"] == f"{base}{row.pk}"
    assert row.title == "韧性成熟度：华北-B · Yearly assessment" and row.requested_by == owner
    tasks.claim_due()
    pdf = client.get(f"{base}{row.pk}/download").content
    text = text_of(pdf)
    card = assessments.scorecard(rows["华北-B"])
    assert number(card.overall.score, 2) in text and "记分卡" in text
    results = client.get(f"/o/ballast-demo/a/{rows['华北-B'].pk}/results").content.decode()
    assert number(card.overall.score, 2) in results


def test_bad_orders_are_refused_and_nothing_is_queued(
    organisation: Any, rows: Any, people: Any, owner: Any
) -> None:
    own = str(rows["华北-B"].pk)
    client, stranger = Client(), Client()
    client.force_login(owner)
    stranger.force_login(people.eve)
    for who, slug, fields in (
        (client, "ballast-demo", {}),
        (client, "ballast-demo", {"language": "en"}),
        (client, "ballast-demo", {"assessment": "nonsense", "language": "en"}),
        (client, "ballast-demo", {"assessment": own, "language": "fr"}),
        (client, "ballast-demo", {"assessment": own, "language": "en", "against": "a:1"}),
        (stranger, "south", {"assessment": own, "language": "en"}),  # somebody else's assessment
    ):
        assert who.post(f"/o/{slug}/reports/new", fields).status_code == 400
        reply = who.post(f"/api/v1/o/{slug}/reports", fields, content_type="application/json")
        assert reply.status_code in {400, 404}
        assert reply.json()["error"]["message"]
    assert stranger.post("/o/ballast-demo/reports/new", {"assessment": own}).status_code == 404
    assert not Report.objects.exists()


def test_by_api(organisation: Any, rows: Any, owner: Any, people: Any) -> None:
    client = Client()
    client.force_login(owner)
    base = "/api/v1/o/ballast-demo/reports"
    made = client.post(
        base, {"assessment": str(rows["华东-T"].pk), "language": "en"}, content_type="application/json"
    )
    assert made.status_code == 202 and made.json()["state"] == "queued"
    one = f"{base}/{made.json()['id']}"
    assert client.get(f"{one}/pdf").status_code == 409
    tasks.claim_due()
    assert client.get(one).json()["state"] == ReportState.DONE
    reply = client.get(f"{one}/pdf")
    assert reply.content.startswith(b"%PDF") and reply["X-Content-Type-Options"] == "nosniff"
    assert [each["id"] for each in client.get(base).json()["results"]] == [made.json()["id"]]
    assert client.delete(one).status_code == 409
    unknown = {"assessment": str(rows["华东-T"].pk), "language": "en", "template": "look"}
    assert client.post(base, unknown, content_type="application/json").status_code == 400
    eve = Client()
    eve.force_login(people.eve)
    for address in (base, one, f"{one}/pdf"):
        assert eve.get(address).status_code == 404


def test_by_command(rows: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "报告 1.pdf"
    out.write_bytes(b"old")
    call_command("report", assessment=str(rows["华北-B"].pk), lang="zh-hans", out=out)
    assert out.read_bytes().startswith(b"%PDF") and "pages" in capsys.readouterr().out
    assert stat.S_IMODE(out.stat().st_mode) == 0o644
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_command_that_cannot_work_exits_with_2_and_says_where(rows: Any, tmp_path: Path) -> None:
    for changed, said in (
        ({"assessment": "nonsense"}, "--assessment"),
        ({"assessment": "00000000-0000-0000-0000-000000000000"}, "--assessment"),
        ({"lang": "fr"}, "--lang"),
        ({"out": Path("/nowhere/at/all.pdf")}, "--out"),
        ({"out": Path("/")}, "--out"),
        ({"out": Path("/proc/report.pdf")}, "--out"),
        ({"against": "a:1"}, "--against"),
    ):
        options = {"assessment": str(rows["华东-T"].pk), "lang": "en", "out": tmp_path / "r.pdf", **changed}
        with pytest.raises(CommandError) as caught:
            call_command("report", **options)
        assert caught.value.returncode == 2 and said in str(caught.value)
        assert not list(tmp_path.iterdir())
