"""One story from sign-in to the PDF in a real Chromium; page, PDF, roadmap and command line agree."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from assessments import selectors
from assessments.domain.compare import compare_sides
from assessments.models import Assessment, Evidence
from assessments.services import evidence as evidence_services
from llm_remediation.models import Roadmap
from portal.reports import tasks

pytestmark = pytest.mark.django_db(transaction=True)

CLUSTER = "华北-A"
LEVELS = [3, 4, 2, 3, 5, 1, 3, 4, 2, 3, 4, 3]


def test_from_sign_in_to_the_pdf(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None], tmp_path: Path
) -> None:
    sign_in(page)
    expect(page.locator("h1")).to_have_text("Ballast Demo")
    quick = open_quick_scan(page)
    answer_by_keyboard(page, quick)
    back_with_evidence(quick)
    page.get_by_role("link", name="See the results").click()
    card = results_equal_the_scorecard(page, quick)
    command_line_equals(card, quick, tmp_path)
    compare_two_clusters(page, demo)
    page.goto(f"{live_server.url}/o/ballast-demo/a/{quick.pk}/results")
    draw_up_a_roadmap(page, quick)
    page.goto(f"{live_server.url}/o/ballast-demo/a/{quick.pk}/results")
    text = download_the_report(page, tmp_path)
    pdf_equals(card, text)
    steps = set(Roadmap.objects.get(assessment=quick).items.values_list("practice", flat=True))
    assert {each for each in steps if each not in text} == set()


def pdf_equals(card: Any, text: str) -> None:
    """Headline and every row of the scorecard stand in the text of the PDF."""
    overall = card.overall
    views = (overall.score, overall.demonstrated, overall.claimed)
    assert f"{shown(overall.score)} of 5" in text
    assert "Overall " + " ".join(shown(each) for each in views) in text
    for dimension, each in card.dimensions.items():
        scores = " ".join(shown(value) for value in (each.score, each.demonstrated, each.claimed))
        name = f"{dimension.value} {dimension.full_name.en}"
        assert f"{name} {scores} {each.level} {each.answered}/{each.applicable}" in text


def shown(value: float | None) -> str:
    """A score as every surface shows it."""
    assert value is not None
    return f"{value:.2f}"


def open_quick_scan(page: Page) -> Assessment:
    """Through the navigation and the form."""
    page.get_by_role("link", name="Assessments").first.click()
    page.get_by_role("link", name="New assessment").first.click()
    page.get_by_label("Cluster").select_option(label=CLUSTER)
    page.get_by_label("Quick scan").check()
    page.locator("main input[name=name]").fill("Winter")
    page.get_by_role("button", name="Open the assessment").click()
    page.wait_for_url("**/q/*")
    return Assessment.objects.get(name="Winter", cluster__name=CLUSTER, scope="quick")


def asked(quick: Assessment) -> list[str]:
    matrix = selectors.matrix(quick.matrix_version_id)
    return [each.id for each in matrix.in_scope("quick", selectors.profile_of(quick))]


def answer_by_keyboard(page: Page, quick: Assessment) -> None:
    """Twelve digits and twelve times Enter; nothing else is touched."""
    for level in LEVELS:
        page.wait_for_selector("html[data-ready=true]", state="attached")
        page.wait_for_load_state("networkidle")
        before = page.url
        page.keyboard.press(str(level))
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=before: url != before)
    page.wait_for_url(f"**/a/{quick.pk}/check")
    card = selectors.scorecard(quick)
    assert [card.practices[each].claimed for each in asked(quick)] == LEVELS


def back_with_evidence(quick: Assessment) -> None:
    """Evidence of several kinds and ages, some of it verified by the reviewer, so that the views differ."""
    members = {row.role: row.user for row in quick.organisation.memberships.all()}
    kinds = [("E4", 10, True), ("E5", 20, True), ("E3", 45, True), ("E4", 5, False), ("E5", 1, True)]
    for practice, (kind, days, verified) in zip(asked(quick), kinds, strict=False):
        row = evidence_services.add(
            assessment=quick,
            practice_id=practice,
            actor=members["owner"],
            submission=evidence_services.Submission(
                kind=kind,
                title=f"{kind} of {practice}",
                effective_at=timezone.now() - timedelta(days=days),
                url="https://example.com/evidence",
            ),
        )
        if verified:
            evidence_services.verify(evidence=row, actor=members["reviewer"])


def results_equal_the_scorecard(page: Page, quick: Assessment) -> Any:
    """Every number of the results page, against the one function that computes them."""
    page.wait_for_url("**/results")
    card = selectors.scorecard(quick)
    overall = card.overall
    assert overall.status == "ok" and len({overall.score, overall.demonstrated, overall.claimed}) == 3
    stats = page.locator(".stat__value").all_inner_texts()
    assert [each.split()[0] for each in stats[:3]] == [
        shown(each) for each in (overall.score, overall.demonstrated, overall.claimed)
    ]
    rows = {
        cells[0].split()[0]: cells[1:]
        for row in page.locator("#scorecard tbody tr").all()
        if (cells := row.locator("th, td").all_inner_texts())
    }
    assert list(rows) == [each.value for each in card.dimensions]
    for code, each in card.dimensions.items():
        scores = [shown(value) for value in (each.score, each.demonstrated, each.claimed)]
        assert rows[code.value][:3] == scores
        assert rows[code.value][3].split()[-1] == str(each.level)
        assert rows[code.value][4] == f"{each.answered}/{each.applicable}"
    heat = page.locator("table.heatmap td a").all_inner_texts()
    assert [each.split()[-1] for each in heat] == [str(card.practices[id].current) for id in asked(quick)]
    return card


def command_line_equals(card: Any, quick: Assessment, folder: Path) -> None:
    """`manage.py score` over a file made of what is stored gives the same JSON."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in Evidence.objects.filter(assessment=quick, withdrawn_at=None):
        found.setdefault(item.practice, []).append(
            {
                "kind": item.kind,
                "effective_at": item.effective_at.isoformat(),
                "verified": item.verified_at is not None,
            }
        )
    answers = []
    for practice, head in selectors.heads(quick).items():
        given = head.response
        value = {"level": given.level} if given.clauses is None else {"clauses": given.clauses}
        answers.append({"practice": practice, **value, "evidence": found.get(practice, [])})
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    profile = {"kinds": quick.kinds, "tags": quick.tags, "scope": quick.scope}
    (folder / "profile.json").write_text(json.dumps(profile), encoding="utf-8")
    out = io.StringIO()
    call_command(
        "score",
        "--json",
        answers=folder / "answers.json",
        profile=folder / "profile.json",
        as_of=card.as_of.isoformat(),
        stdout=out,
    )
    shown = card.as_dict()
    # The command knows no measured values of the cluster.
    shown["warnings"] = [each for each in shown["warnings"] if not each["code"].startswith("kpi_")]
    assert json.loads(out.getvalue()) == json.loads(json.dumps(shown))


def compare_two_clusters(page: Page, demo: Any) -> None:
    """The two full assessments of the demo, chosen in the form."""
    rows = Assessment.objects.filter(organisation=demo, scope="full").order_by("cluster__name")
    first, second = (f"a:{row.pk}" for row in rows)
    page.get_by_role("link", name="Compare").first.click()
    page.get_by_label("A", exact=True).select_option(first)
    page.get_by_label("B", exact=True).select_option(second)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("#differences")
    sides = [selectors.comparable(demo, each).side for each in (first, second)]
    found = compare_sides(*sides)
    table = [row.locator("th, td").all_inner_texts() for row in page.locator("#differences tbody tr").all()]
    expected = [row for row in found.dimensions if row.dimension]
    assert [row[0].split()[0] for row in table] == [row.dimension.value for row in expected if row.dimension]
    assert [row[1:3] for row in table] == [[shown(row.a), shown(row.b)] for row in expected]
    verdict = page.locator(".verdict").inner_text()
    assert shown(found.overall.a) in verdict and shown(found.overall.b) in verdict


def draw_up_a_roadmap(page: Page, quick: Assessment) -> None:
    """From the results page through the form; the page shows the stored steps."""
    page.get_by_role("link", name="Build a roadmap").click()
    expect(page.get_by_label("Assessment")).to_have_value(str(quick.pk))
    page.locator("main input[name=name]").fill("Winter work")
    page.locator("main form button[type=submit]").click()
    expect(page.locator("h1")).to_have_text("Winter work")
    roadmap = Roadmap.objects.get(assessment=quick)
    steps = roadmap.items.count()
    assert steps > 0
    assert page.locator("[data-number=steps]").inner_text() == str(steps)
    card = selectors.scorecard(quick)
    assert page.locator("[data-number=before]").inner_text() == shown(card.overall.score)


def download_the_report(page: Page, folder: Path) -> str:
    """Ask for the PDF, let the worker's own function make it, download it, read its text (on one line)."""
    page.get_by_role("button", name="PDF report").click()
    page.wait_for_url("**/reports/*")
    assert tasks.claim_due() == 1
    link = page.get_by_role("link", name="Download the PDF")
    with page.expect_download() as waiting:
        link.click()
    path = folder / "report.pdf"
    waiting.value.save_as(path)
    return " ".join(" ".join(leaf.extract_text() for leaf in PdfReader(path).pages).split())
