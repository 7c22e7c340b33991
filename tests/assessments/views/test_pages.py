"""Pages of assessments: they show the numbers of the one scoring function, and refuse cleanly."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from assessments import selectors
from assessments.models import Evidence
from assessments.services import evidence, openings, responses

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(people: Any) -> Client:
    client = Client()
    client.force_login(people.ada)
    return client


@pytest.fixture
def answered(people: Any, quick: Any) -> Any:
    """A quick scan with every practice answered, level 0 to 5 in turn."""
    asked = selectors.matrix(quick.matrix_version_id).in_scope("quick", selectors.profile_of(quick))
    for number, practice in enumerate(asked):
        responses.answer(
            assessment=quick,
            practice_id=practice.id,
            actor=people.ada,
            draft=responses.Draft(level=number % 6, note="=HYPERLINK(1)" if number == 0 else ""),
            expected_version=0,
        )
    return quick


def page(quick: Any, rest: str) -> str:
    return f"/o/north/a/{quick.pk}/{rest}"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("rest", ["q/REL-01", "q/", "check", "results"])
def test_pages_render(ada: Client, answered: Any, rest: str, language: str) -> None:
    ada.cookies["django_language"] = language
    reply = ada.get(page(answered, rest))
    assert reply.status_code == 200


def test_results_show_the_scores_of_the_domain(ada: Client, answered: Any) -> None:
    card = selectors.scorecard(answered)
    body = ada.get(page(answered, "results")).content.decode()
    assert card.overall.score is not None
    assert f'<span class="score">{card.overall.score:.2f}</span>' in body
    for each in card.dimensions.values():
        assert f'<span class="score">{each.score:.2f}</span>' in body


def test_csv_has_every_practice_and_no_formula(ada: Client, answered: Any) -> None:
    reply = ada.get(page(answered, "answers.csv"))
    text = reply.content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    card = selectors.scorecard(answered)
    assert {row["practice"]: row["current"] for row in rows} == {
        key: str(each.current) for key, each in card.practices.items()
    }
    assert rows[0]["note"] == "'=HYPERLINK(1)"
    assert "filename*=utf-8''" in reply["Content-Disposition"].lower()


def test_new_assessment_by_form_and_its_errors(ada: Client, people: Any, cluster: Any) -> None:
    bad = ada.post("/o/north/assessments/new", {"name": "", "cluster": "x", "scope": "all"})
    assert bad.status_code == 400
    assert b"error-summary" in bad.content
    good = ada.post("/o/north/assessments/new", {"name": "Q4", "cluster": str(cluster.pk), "scope": "quick"})
    assert good.status_code == 302
    assert selectors.assessments(people.north).count() == 1


def test_evidence_by_form_keeps_what_was_typed_on_error(ada: Client, quick: Any) -> None:
    where = page(quick, "q/REL-01/evidence")
    values = {"kind": "E2", "title": "My words", "effective_at": "2026-11-01T10:00", "url": "nonsense"}
    bad = ada.post(where, values)
    assert bad.status_code == 400
    assert b"My words" in bad.content and b"http://" in bad.content
    assert Evidence.objects.count() == 0
    assert ada.post(where, {**values, "url": "https://x.example/"}).status_code == 302
    assert Evidence.objects.get().effective_at.isoformat() == "2026-11-01T10:00:00+00:00"


def test_a_download_never_opens_in_the_browser(ada: Client, people: Any, quick: Any) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.utils import timezone

    row = evidence.add(
        assessment=quick,
        practice_id="REL-01",
        actor=people.ada,
        submission=evidence.Submission(
            kind="E1",
            title="",
            effective_at=timezone.now(),
            file=SimpleUploadedFile("x.html", b"<script>alert(1)</script>", content_type="text/html"),
        ),
    )
    reply = ada.get(page(quick, f"evidence/{row.pk}"))
    assert reply["Content-Type"] == "application/octet-stream"
    assert reply["Content-Disposition"].startswith("attachment")
    assert "sandbox" in reply["Content-Security-Policy"]


def test_compare_pages(ada: Client, people: Any, answered: Any, cluster: Any) -> None:
    full = openings.open_assessment(
        organisation=people.north, cluster=cluster, actor=people.ada, name="Full", scope="full"
    )
    assert ada.get("/o/north/compare").status_code == 200
    same = ada.get("/o/north/compare", {"a": f"a:{answered.pk}", "b": f"a:{answered.pk}"})
    assert b"too few shared practices" in same.content  # 2 per dimension in a quick scan
    refused = ada.get("/o/north/compare", {"a": f"a:{answered.pk}", "b": f"a:{full.pk}"})
    assert b"cannot be compared" in refused.content
    for wrong in ("a:nonsense", "x:1", "m:" + str(answered.pk)):
        assert ada.get("/o/north/compare", {"a": wrong, "b": f"a:{full.pk}"}).status_code == 404


def test_matrix_catalogue(ada: Client, released: None) -> None:
    assert ada.get("/o/north/matrix").content.count(b"/o/north/matrix/") >= 48
    found = ada.get("/o/north/matrix", {"q": "检查点"}).content.decode()
    assert "RCV-03" in found and "COST-01" not in found
    assert ada.get("/o/north/matrix/REL-04").status_code == 200
    assert ada.get("/o/north/matrix/REL-99").status_code == 404
    assert ada.get("/o/north/matrix", {"version": "0" * 64}).status_code == 404


@pytest.mark.parametrize("rest", ["q/REL-02", "q/NOPE", "q/%00", "evidence/1"])
def test_what_is_not_there_is_404(ada: Client, quick: Any, rest: str) -> None:
    assert ada.get(page(quick, rest)).status_code == 404
