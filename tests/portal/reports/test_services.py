"""The queue: one owner per row, results only from the owner, three attempts, nothing half-written."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.audit import services as audit
from portal.audit.models import Entry
from portal.errors import Conflict, Invalid, TooLarge
from portal.reports import compiler, selectors, services
from portal.reports.models import Report, ReportState

pytestmark = pytest.mark.django_db


def order(people: Any, **changed: Any) -> Report:
    values = {
        "organisation": people.north,
        "user": people.ada,
        "template": "maturity",
        "language": "en",
        "title": "Resilience maturity of 华北-B",
        "subject_id": "x",
        "data": {"a": 1},
        **changed,
    }
    return services.request(**values)


def again(row: Report) -> Report:
    return Report.objects.get(pk=row.pk)


def test_a_request_is_queued_frozen_and_audited(people: Any) -> None:
    data = {"note": "before\x00after", "list": [1, 2.5, None]}
    row = order(people, data=data)
    data["note"] = "changed later"
    assert again(row).data == {"note": "beforeafter", "list": [1, 2.5, None]}
    assert row.state == ReportState.QUEUED
    entry = Entry.objects.get(action="report.requested")
    assert entry.object_id == str(row.pk) and entry.detail["title"] == row.title
    assert audit.verify_chain(people.north.pk).ok


@pytest.mark.parametrize(
    ("changed", "error", "place"),
    [
        ({"language": "fr"}, Invalid, "language"),
        ({"language": ""}, Invalid, "language"),
        ({"template": "look"}, Invalid, "template"),
        ({"data": {"x": float("nan")}}, Invalid, None),
        ({"data": {"x": object()}}, Invalid, None),
        ({"data": {"x": "y" * compiler.DATA_BYTES}}, TooLarge, None),
    ],
)
def test_bad_requests_leave_nothing_behind(people: Any, changed: Any, error: Any, place: Any) -> None:
    with pytest.raises(error) as caught:
        order(people, **changed)
    assert caught.value.place == place
    assert not Report.objects.exists() and not Entry.objects.exists()


def test_too_many_waiting_are_refused_per_organisation(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_OPEN", 2)
    order(people)
    order(people)
    with pytest.raises(Conflict) as caught:
        order(people)
    assert caught.value.retryable
    order(people, organisation=people.south, user=people.eve)
    services.claim("w")
    with pytest.raises(Conflict):
        order(people)


def test_a_row_has_one_owner_and_the_oldest_goes_first(people: Any) -> None:
    first, second = order(people), order(people)
    one, two = services.claim("one"), services.claim("two")
    assert one and two and (one.pk, two.pk) == (first.pk, second.pk)
    assert services.claim("three") is None
    assert one.attempts == 1 and one.lease_owner == "one"
    assert one.lease_until and one.lease_until > timezone.now()
    assert timedelta(seconds=compiler.WALL_SECONDS) < services.LEASE


def test_only_the_owner_writes_the_result(people: Any) -> None:
    order(people)
    row = services.claim("one")
    assert row
    assert not services.finish(report=row, owner="two", pdf=b"%PDF-wrong")
    assert services.finish(report=row, owner="one", pdf=b"%PDF-right")
    done = again(row)
    assert done.state == ReportState.DONE and done.finished_at and done.lease_owner == ""
    assert selectors.pdf(done) == b"%PDF-right"
    assert done.pdf_sha256 == hashlib.sha256(b"%PDF-right").hexdigest()
    assert not services.finish(report=row, owner="one", pdf=b"%PDF-late")
    assert not services.fail(report=row, owner="one", message="late", retryable=False)


def test_a_worker_that_lost_its_lease_cannot_overwrite_the_next_one(people: Any) -> None:
    order(people)
    slow = services.claim("slow")
    assert slow
    assert services.reap(now=timezone.now() + services.LEASE + timedelta(seconds=1)) == 1
    fast = services.claim("fast")
    assert fast and fast.pk == slow.pk and fast.attempts == 2
    assert not services.finish(report=slow, owner="slow", pdf=b"%PDF-slow")
    assert services.finish(report=fast, owner="fast", pdf=b"%PDF-fast")
    assert selectors.pdf(again(slow)) == b"%PDF-fast"


def test_a_living_lease_is_not_reaped(people: Any) -> None:
    order(people)
    services.claim("one")
    assert services.reap() == 0


def test_three_attempts_then_failed(people: Any) -> None:
    row = order(people)
    for attempt in (1, 2, 3):
        taken = services.claim("w")
        assert taken and taken.attempts == attempt
        assert services.fail(report=taken, owner="w", message="no luck", retryable=True)
        expected = ReportState.FAILED if attempt == 3 else ReportState.QUEUED
        assert (again(row).state, again(row).error) == (expected, "no luck")
    assert services.claim("w") is None


def test_a_hopeless_failure_is_not_repeated(people: Any) -> None:
    order(people)
    taken = services.claim("w")
    assert taken and services.fail(report=taken, owner="w", message="bad", retryable=False)
    assert again(taken).state == ReportState.FAILED


def test_workers_that_die_three_times_end_in_failed_with_words(people: Any) -> None:
    row = order(people, language="zh-hans")
    for _attempt in range(3):
        assert services.claim("w")
        assert services.reap(now=timezone.now() + timedelta(hours=1)) == 1
    assert again(row).state == ReportState.FAILED
    assert again(row).error == "工作进程在报告完成前停止了。"


def test_cancelling_wins_against_the_worker(people: Any) -> None:
    row = order(people)
    taken = services.claim("w")
    assert taken
    services.cancel(report=row, actor=people.ada)
    assert not services.finish(report=taken, owner="w", pdf=b"%PDF-")
    assert again(row).state == ReportState.CANCELLED and again(row).pdf is None
    with pytest.raises(Conflict):
        services.cancel(report=row, actor=people.ada)
    assert Entry.objects.filter(action="report.cancelled").count() == 1


def test_a_pdf_that_is_not_there_is_a_conflict(people: Any) -> None:
    row = order(people)
    with pytest.raises(Conflict) as caught:
        selectors.pdf(row)
    assert caught.value.retryable


def test_file_names_keep_their_language_and_lose_what_paths_are_made_of(people: Any) -> None:
    row = order(people, title='华北-B "../../etc/passwd"\n; rm\x00 · α')
    name = selectors.file_name(row)
    assert name.startswith("华北-B .. .. etc passwd rm α 20") and name.endswith(".pdf")
    assert not set(name) & set('/\\"\n\x00;')


def test_silence_of_the_workers_is_noticed(people: Any) -> None:
    from django.core.cache import cache

    cache.delete(selectors.WORKER_KEY)
    assert selectors.worker_seen() is None and selectors.worker_is_silent()
    services.worker_was_here()
    assert selectors.worker_seen() and not selectors.worker_is_silent()
    assert selectors.worker_is_silent(timezone.now() + selectors.WORKER_SILENT_AFTER + timedelta(seconds=1))
