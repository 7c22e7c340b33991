"""Pages of reports: who sees what, live state, download, and what is said when no worker is there."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.reports import selectors, services
from portal.reports.models import Report, ReportState

pytestmark = pytest.mark.django_db
TITLE = "华北-B韧性成熟度"


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def queued(people: Any) -> Report:
    return services.request(
        organisation=people.north,
        user=people.ada,
        template="maturity",
        language="zh-hans",
        title=TITLE,
        subject_id="",
        data={},
    )


@pytest.fixture
def done(queued: Report) -> Report:
    taken = services.claim("w")
    assert taken and services.finish(report=taken, owner="w", pdf=b"%PDF-1.7 content")
    queued.refresh_from_db()
    return queued


def url(row: Report, rest: str = "", slug: str = "north") -> str:
    return f"/o/{slug}/reports/{row.pk}{rest}"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_pages_render_in_both_languages(people: Any, done: Report, language: str) -> None:
    client = signed_in(people.ada)
    client.cookies["django_language"] = language
    for address in ("/o/north/reports/", url(done)):
        reply = client.get(address)
        assert reply.status_code == 200 and TITLE in reply.content.decode()


def test_a_viewer_sees_and_downloads_a_stranger_does_not_know(people: Any, done: Report) -> None:
    ben, eve = signed_in(people.ben), signed_in(people.eve)
    for rest in ("", "/state", "/download"):
        assert ben.get(url(done, rest)).status_code == 200
        # Wrong organisation, and her own organisation with somebody else's report: both unknown.
        assert eve.get(url(done, rest)).status_code == 404
        assert eve.get(url(done, rest, "south")).status_code == 404
        assert Client().get(url(done, rest)).status_code == 302
    assert eve.post(url(done, "/cancel", "south")).status_code == 404
    assert TITLE not in eve.get("/o/south/reports/").content.decode()


def test_an_unknown_report_is_404(people: Any, done: Report) -> None:
    client = signed_in(people.ada)
    assert client.get(f"/o/north/reports/{uuid.uuid4()}").status_code == 404
    assert client.get("/o/north/reports/1%00").status_code == 404


def test_the_download_has_its_chinese_name_and_is_never_sniffed(people: Any, done: Report) -> None:
    reply = signed_in(people.ben).get(url(done, "/download"))
    assert reply.content == b"%PDF-1.7 content"
    assert reply["Content-Type"] == "application/pdf"
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert "private" in reply["Cache-Control"]
    name = selectors.file_name(done)
    assert reply["Content-Disposition"].startswith("attachment; filename*=utf-8''%E5%8D%8E%E5%8C%97-B")
    assert name.startswith(TITLE)


def test_a_download_before_it_is_ready_is_a_conflict_not_an_error(people: Any, queued: Report) -> None:
    assert signed_in(people.ben).get(url(queued, "/download")).status_code == 409


def test_the_page_renews_itself_until_it_is_done(people: Any, queued: Report) -> None:
    services.worker_was_here()
    client = signed_in(people.ben)
    body = client.get(url(queued)).content.decode()
    assert 'hx-trigger="every 1s"' in body and "<noscript>" in body and 'aria-live="polite"' in body
    assert "style=" not in body
    mark = "queued-0-0"
    assert f"?was={mark}" in body
    assert client.get(url(queued, f"/state?was={mark}")).status_code == 204

    taken = services.claim("w")
    assert taken
    reply = client.get(url(queued, f"/state?was={mark}"))
    assert reply.status_code == 200 and 'data-state="running"' in reply.content.decode()

    services.finish(report=taken, owner="w", pdf=b"%PDF-")
    body = client.get(url(queued, "/state?was=running-1-0")).content.decode()
    assert "hx-get" not in body and url(queued, "/download") in body


def test_updates_can_be_paused(people: Any, queued: Report) -> None:
    body = signed_in(people.ben).get(url(queued, "?pause")).content.decode()
    assert "hx-get" not in body and "Resume updates" in body


def test_without_a_worker_the_page_says_so_and_since_when(people: Any, queued: Report) -> None:
    client = signed_in(people.ada)
    cache.delete(selectors.WORKER_KEY)
    body = client.get(url(queued)).content.decode()
    assert "Waiting for a worker" in body and "No worker has reported yet" in body
    assert "Waiting for a worker" in client.get("/o/north/reports/").content.decode()

    long_ago = timezone.now() - 2 * selectors.WORKER_SILENT_AFTER
    cache.set(selectors.WORKER_KEY, long_ago.isoformat(), timeout=None)
    body = client.get(url(queued)).content.decode()
    assert "Last seen" in body and f"{long_ago:%Y-%m-%d %H:%M}" in body

    services.worker_was_here()
    assert "Waiting for a worker" not in client.get(url(queued)).content.decode()


def test_a_failure_is_shown_with_what_is_safe(people: Any, queued: Report) -> None:
    taken = services.claim("w")
    assert taken
    services.fail(report=taken, owner="w", message="<b>too slow</b>", retryable=False)
    body = signed_in(people.ben).get(url(queued)).content.decode()
    assert "&lt;b&gt;too slow" in body and "Answers, scores and roadmap are untouched." in body
    assert "hx-get" not in body


def test_cancelling_needs_a_post_and_works_once(people: Any, queued: Report) -> None:
    client = signed_in(people.ada)
    assert client.get(url(queued, "/cancel")).status_code == 405
    assert client.post(url(queued, "/cancel")).status_code == 302
    queued.refresh_from_db()
    assert queued.state == ReportState.CANCELLED
    assert client.post(url(queued, "/cancel")).status_code == 409


def test_the_list_never_loads_the_pdfs(people: Any, done: Report) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        signed_in(people.ben).get("/o/north/reports/")
    asked = [each["sql"] for each in queries if "reports_report" in each["sql"]]
    assert asked and not any('"reports_report"."pdf",' in sql or '"data"' in sql for sql in asked)
