"""What a worker does, with the real compiler; and what a request does when no broker is there."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from portal.reports import selectors, services, tasks
from portal.reports.models import Report, ReportState

pytestmark = pytest.mark.django_db


def order(people: Any, data: Any, language: str = "en") -> Report:
    return services.request(
        organisation=people.north,
        user=people.ada,
        template="maturity",
        language=language,
        title="t",
        subject_id="",
        data=data,
    )


def test_everything_that_waits_is_rendered(people: Any, small: dict[str, Any]) -> None:
    rows = [order(people, small), order(people, small, "zh-hans")]
    assert tasks.claim_due() == 2
    for row in rows:
        done = Report.objects.get(pk=row.pk)
        assert done.state == ReportState.DONE and done.pages and done.pages >= 6
        assert selectors.pdf(done).startswith(b"%PDF")
    assert tasks.claim_due() == 0


def test_a_bad_row_fails_in_words_and_does_not_stop_the_next(people: Any, small: dict[str, Any]) -> None:
    bad = order(people, {"title": "no such shape"}, "zh-hans")
    good = order(people, small)
    assert tasks.claim_due() == 1
    bad.refresh_from_db()
    assert (bad.state, bad.error, bad.attempts) == (ReportState.FAILED, "报告排版失败。", 1)
    good.refresh_from_db()
    assert good.state == ReportState.DONE


def test_an_unforeseen_error_is_tried_three_times(
    people: Any, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = order(people, small)
    monkeypatch.setattr(tasks.compiler, "CHILD", "/nowhere\x00")  # Popen itself raises ValueError
    assert tasks.claim_due() == 0
    row.refresh_from_db()
    assert (row.state, row.attempts) == (ReportState.FAILED, 3)
    assert row.error == "Something went wrong while the report was made."
    assert "ValueError" in caplog.text


def test_a_dead_broker_does_not_break_the_request(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_args: Any, **_options: Any) -> None:
        raise ConnectionRefusedError("broker")

    monkeypatch.setattr(tasks.render, "apply_async", refuse)
    tasks.wake()
    assert "waits for the beat" in caplog.text


def test_the_beat_reaps_renders_and_reports_itself(people: Any, small: dict[str, Any]) -> None:
    cache.delete(selectors.WORKER_KEY)
    row = order(people, small)
    services.claim("dead worker")
    Report.objects.update(lease_until="2020-01-01T00:00:00Z")
    tasks.reap()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (ReportState.DONE, 2)
    assert not selectors.worker_is_silent()


def test_the_beat_knows_the_task_by_its_name() -> None:
    from portal.config.celery import app

    names = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert tasks.reap.name in names


def test_every_thread_of_the_web_process_wakes_workers_through_our_broker() -> None:
    """Without this, a message goes to Celery's nameless default app and nobody ever reads it."""
    from threading import Thread

    found: list[str] = []
    thread = Thread(target=lambda: found.append(str(tasks.render.app.main)))
    thread.start()
    thread.join()
    assert found == ["ballast"]
