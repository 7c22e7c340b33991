"""Evidence: dated, bounded, verified by somebody else, never deleted, never half-written."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from assessments import selectors
from assessments.models import Evidence
from assessments.services import evidence, milestones, openings, responses
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed, NotFound, TooLarge

pytestmark = pytest.mark.django_db


def add(quick: Any, actor: Any, *, practice: str = "REL-01", **values: Any) -> Evidence:
    values = {"kind": "E3", "title": "Query", "url": "https://wiki.example.com/q", **values}
    values.setdefault("effective_at", timezone.now() - timedelta(days=1))
    return evidence.add(
        assessment=quick, practice_id=practice, actor=actor, submission=evidence.Submission(**values)
    )


def test_declared_carries_to_2_and_verified_to_its_kind(people: Any, quick: Any) -> None:
    responses.answer(
        assessment=quick,
        practice_id="REL-01",
        actor=people.ada,
        draft=responses.Draft(level=4),
        expected_version=0,
    )
    assert selectors.scorecard(quick).practices["REL-01"].current == 1
    row = add(quick, people.ada)
    assert selectors.scorecard(quick).practices["REL-01"].current == 2
    evidence.verify(evidence=row, actor=people.by_role["reviewer"])
    assert selectors.scorecard(quick).practices["REL-01"].current == 3
    evidence.withdraw(evidence=row, actor=people.ada)
    assert selectors.scorecard(quick).practices["REL-01"].current == 1
    assert Evidence.objects.filter(pk=row.pk).exists()
    assert audit.verify_chain(people.north.pk).ok


def test_nobody_verifies_their_own(people: Any, quick: Any) -> None:
    row = add(quick, people.ada)
    with pytest.raises(NotAllowed) as refused:
        evidence.verify(evidence=row, actor=people.ada)
    assert refused.value.code == "own_evidence"
    responses.answer(
        assessment=quick,
        practice_id="REL-01",
        actor=people.by_role["admin"],
        draft=responses.Draft(level=1),
        expected_version=0,
    )
    with pytest.raises(NotAllowed) as refused:
        evidence.verify(evidence=row, actor=people.by_role["admin"])
    assert refused.value.code == "own_answer"


def test_it_is_verified_once(people: Any, quick: Any) -> None:
    row = add(quick, people.ada)
    evidence.verify(evidence=row, actor=people.by_role["reviewer"])
    with pytest.raises(Conflict):
        evidence.verify(evidence=row, actor=people.by_role["reviewer"])


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"kind": "E9"}, "kind"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"url": "ftp://x/y"}, "url"),
        ({"url": "https://"}, "url"),
        ({"url": "https://x/ y"}, "url"),
        ({"url": "http://[::1"}, "url"),
        ({"url": ""}, "url"),
        ({"url": "https://x.example/" + "a" * 1000}, "url"),
        ({"clause": "OBS-01.L1.a"}, "clause"),
        ({"effective_at": datetime(2026, 1, 1)}, "effective_at"),
        ({"effective_at": timezone.now() + timedelta(days=1)}, "effective_at"),
        ({"effective_at": timezone.now() - timedelta(days=20000)}, "effective_at"),
    ],
)
def test_bad_evidence_is_refused_with_its_place(
    people: Any, quick: Any, values: dict[str, Any], place: str
) -> None:
    with pytest.raises(Invalid) as refused:
        add(quick, people.ada, **values)
    assert refused.value.place == place
    assert Evidence.objects.count() == 0


def test_a_practice_that_is_not_asked_looks_missing(people: Any, quick: Any) -> None:
    with pytest.raises(NotFound):
        add(quick, people.ada, practice="REL-02")


def test_a_file_is_stored_under_our_name_with_its_hash(people: Any, quick: Any) -> None:
    upload = SimpleUploadedFile("../../etc/报告 1.pdf", b"content")
    row = add(quick, people.ada, url="", title="", file=upload)
    assert row.file_name == "报告 1.pdf"
    assert row.title == "报告 1.pdf"
    assert row.sha256 == "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    stored = Path(row.file.path)
    assert settings.VAR_DIR / "media" in stored.parents
    assert stored.read_bytes() == b"content"


def test_too_large_and_empty_files_leave_nothing(people: Any, quick: Any, settings: Any) -> None:
    settings.EVIDENCE_MAX_BYTES = 10
    before = list((settings.VAR_DIR / "media").rglob("*"))
    with pytest.raises(TooLarge):
        add(quick, people.ada, url="", file=SimpleUploadedFile("a", b"x" * 11))
    with pytest.raises(Invalid):
        add(quick, people.ada, url="", file=SimpleUploadedFile("a", b""))
    assert list((settings.VAR_DIR / "media").rglob("*")) == before


def test_when_the_record_fails_the_file_goes_too(
    people: Any, quick: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def broken(**_values: Any) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(audit, "record", broken)
    before = sorted(path for path in (settings.VAR_DIR / "media").rglob("*") if path.is_file())
    with pytest.raises(RuntimeError):
        add(quick, people.ada, url="", file=SimpleUploadedFile("a", b"bytes"))
    assert Evidence.objects.count() == 0
    assert sorted(path for path in (settings.VAR_DIR / "media").rglob("*") if path.is_file()) == before


def test_verifying_first_and_answering_afterwards_is_no_way_round(people: Any, quick: Any) -> None:
    admin = people.by_role["admin"]
    row = add(quick, people.ada, kind="E5")
    evidence.verify(evidence=row, actor=admin)
    for version, (respondent, current) in enumerate(((admin, 2), (people.ada, 5))):
        responses.answer(
            assessment=quick,
            practice_id="REL-01",
            actor=respondent,
            draft=responses.Draft(level=5),
            expected_version=version,
        )
        found = selectors.scorecard(quick).practices["REL-01"]
        assert (found.claimed, found.current) == (5, current)
        frozen = milestones.lock(assessment=quick, actor=people.ada, name=f"M{version}").frozen
        assert frozen["evidence"][0]["verified"] is (current == 5)


def test_a_closed_assessment_keeps_its_score(people: Any, quick: Any) -> None:
    row = add(quick, people.ada)
    openings.set_status(assessment=quick, actor=people.ada, status="closed")
    for change in (
        lambda: add(quick, people.ada),
        lambda: evidence.verify(evidence=row, actor=people.by_role["reviewer"]),
        lambda: evidence.withdraw(evidence=row, actor=people.ada),
    ):
        with pytest.raises(Conflict) as refused:
            change()
        assert refused.value.code == "assessment_closed"
    row.refresh_from_db()
    assert (row.verified_at, row.withdrawn_at, Evidence.objects.count()) == (None, None, 1)


@pytest.mark.parametrize(
    "url",
    [
        *("https://user:secret@x.example/", "https://bank.example@evil.example/", "https://x.example:abc/"),
        *("https://x.example:99999/", "https://x.example/\u202e", "https://x.example\\@evil.example/"),
        *("https://x.example/\u200b", "https://[::1", "javascript:alert(1)", "//x.example/"),
    ],
)
def test_links_that_mislead_or_lead_nowhere(people: Any, quick: Any, url: str) -> None:
    with pytest.raises(Invalid) as refused:
        add(quick, people.ada, url=url)
    assert refused.value.code == "url_invalid"


def test_a_title_that_nobody_can_read_is_refused(people: Any, quick: Any) -> None:
    for title in ("\u200b", "a\u202eb", "a\x00b"):
        with pytest.raises(Invalid) as refused:
            add(quick, people.ada, title=title)
        assert refused.value.place == "title"
