"""Answering in a real Chromium: keyboard only, slow and broken networks, two browsers on one question."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assessments import selectors
from assessments.models import Assessment, Response
from assessments.services import openings
from portal.clusters import services as clusters

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quick(demo: Any) -> Assessment:
    """A fresh quick scan of a new cluster in the demo organisation."""
    from portal.accounts.models import User

    ada = User.objects.get(email="ada@example.com")
    cluster = clusters.create_cluster(
        organisation_id=demo.pk, actor=ada, data=clusters.ClusterData(name="Fresh", kinds=("serve",))
    )
    return openings.open_assessment(
        organisation=demo, cluster=cluster, actor=ada, name="Quick", scope="quick"
    )


def question(live_server: Any, one: Assessment, practice: str) -> str:
    return f"{live_server.url}/o/ballast-demo/a/{one.pk}/q/{practice}"


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready=true]")
    page.wait_for_load_state("networkidle")


def stored(one: Assessment) -> dict[str, Any]:
    return {key: head.response for key, head in selectors.heads(one).items()}


def test_the_quick_scan_by_keyboard_alone(
    page: Page, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    page.goto(f"{live_server.url}/o/ballast-demo/a/{quick.pk}/")
    for number in range(12):
        ready(page)
        before = page.url
        page.keyboard.press(str(number % 6))
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=before: url != before)
    expect(page).to_have_url(f"{live_server.url}/o/ballast-demo/a/{quick.pk}/check")
    given = stored(quick)
    asked = [
        each.id
        for each in selectors.matrix(quick.matrix_version_id).in_scope("quick", selectors.profile_of(quick))
    ]
    card = selectors.scorecard(quick)
    assert [card.practices[each].claimed for each in asked] == [number % 6 for number in range(12)]
    assert len(given) == 12


def test_keys_are_text_in_a_text_field_and_silent_when_switched_off(
    page: Page, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    page.goto(question(live_server, quick, "REL-01"))
    ready(page)
    page.focus("#note")
    page.keyboard.type("30 pods, n=2 用")
    expect(page.locator("#save")).to_have_attribute("data-save", "saved")
    head = stored(quick)["REL-01"]
    assert (head.note, head.cleared, head.level, head.clauses) == ("30 pods, n=2 用", True, None, None)
    # An input method is composing: its digits and Enter belong to it.
    page.evaluate(
        """() => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "3", isComposing: true, bubbles: true }))"""
    )
    assert page.locator("input[name=answer]:checked").count() == 0
    page.evaluate("() => { document.body.dataset.singleKey = 'off'; document.activeElement.blur(); }")
    page.keyboard.press("4")
    assert page.locator("input[name=answer]:checked").count() == 0


def test_not_applicable_waits_for_its_reason(
    page: Page, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    page.goto(question(live_server, quick, "REL-01"))
    ready(page)
    page.keyboard.press("n")
    expect(page.locator("#na-reason")).to_be_focused()
    assert stored(quick) == {}
    page.select_option("#na-reason", "out_of_scope")
    expect(page.locator("#save")).to_have_attribute("data-save", "saved")
    assert stored(quick)["REL-01"].na_reason == "out_of_scope"


def test_forty_answers_at_two_a_second_with_a_slow_server(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None]
) -> None:
    full = Assessment.objects.get(cluster__name="华北-A")
    before = Response.objects.filter(assessment=full).count()
    sign_in(page)
    page.goto(f"{live_server.url}/o/ballast-demo/a/{full.pk}/q/")
    ready(page)

    def slow(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/api/v1/**", slow)
    rows = page.locator("tr[data-island=answer-row]")
    chosen: dict[str, int] = {}
    for index in range(40):
        row = rows.nth(index)
        practice = row.locator(".table__sub").inner_text().split()[0]
        current = row.locator("input:checked")
        level = (int(current.get_attribute("value") or 0) + 1) % 6 if _digit(current) else 2
        row.locator(f"input[value='{level}']").check(force=True)
        chosen[practice] = level
    page.wait_for_function(
        "() => document.querySelectorAll('.save[data-save=saved]').length >= 40", timeout=60000
    )
    card = selectors.scorecard(full)
    assert {key: card.practices[key].claimed for key in chosen} == chosen
    assert Response.objects.filter(assessment=full).count() == before + 40


def _digit(locator: Any) -> bool:
    return locator.count() == 1 and (locator.get_attribute("value") or "").isdigit()


def test_two_browsers_on_one_question_get_a_choice(
    page: Page, browser: Browser, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    other = browser.new_context(storage_state=page.context.storage_state()).new_page()
    for each in (page, other):
        each.goto(question(live_server, quick, "REL-01"))
        ready(each)
    other.keyboard.press("2")
    expect(other.locator("#save")).to_have_attribute("data-save", "saved")
    page.keyboard.press("4")
    banner = page.locator("#answer-banner")
    expect(banner).to_contain_text("Theirs")
    expect(page.locator("#save")).to_have_attribute("data-save", "conflict")
    assert selectors.scorecard(quick).practices["REL-01"].claimed == 2
    banner.get_by_role("button", name="Keep mine").click()
    expect(page.locator("#save")).to_have_attribute("data-save", "saved")
    assert selectors.scorecard(quick).practices["REL-01"].claimed == 4
    assert Response.objects.filter(assessment=quick, practice="REL-01").count() == 2
    other.context.close()


def test_an_expired_session_loses_no_text(
    page: Page, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    page.goto(question(live_server, quick, "REL-01"))
    ready(page)
    cookies = [each for each in page.context.cookies() if each["name"] == "sessionid"]
    page.context.clear_cookies(name="sessionid")
    page.fill("#note", "a long thought that must survive")
    expect(page.locator("#answer-banner")).to_contain_text("signed out")
    assert stored(quick) == {}
    page.context.add_cookies(cookies)
    page.reload()
    ready(page)
    expect(page.locator("#note")).to_have_value("a long thought that must survive")
    expect(page.locator("#save")).to_have_attribute("data-save", "saved")
    assert stored(quick)["REL-01"].note == "a long thought that must survive"


def test_a_broken_network_is_shown_and_the_answer_comes_later(
    page: Page, live_server: Any, quick: Assessment, sign_in: Callable[..., None]
) -> None:
    sign_in(page)
    page.goto(question(live_server, quick, "REL-01"))
    ready(page)
    page.route("**/api/v1/**", lambda route: route.abort())
    page.keyboard.press("3")
    expect(page.locator("#save")).to_have_attribute("data-save", "retrying")
    assert stored(quick) == {}
    page.unroute("**/api/v1/**")
    expect(page.locator("#save")).to_have_attribute("data-save", "saved", timeout=15000)
    assert selectors.scorecard(quick).practices["REL-01"].claimed == 3
