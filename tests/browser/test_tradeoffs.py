"""Trade-offs of a roadmap in a real browser: decided without scripts, refused in view, within reach."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.places import Demo
from tests.browser.test_accessibility import LANGUAGES, Checker
from tests.browser.test_layout import OVERFLOW, SMALL

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def roadmap(demo: Any, live_server: Any) -> str:
    """The address of a roadmap on which one trade-off is decided and one waits."""
    here = Demo(demo)
    assert here.decision.kind == "accepted"
    return str(live_server.url + here.path("roadmaps:detail"))


def test_deciding_without_scripts(
    browser: Browser, live_server: Any, roadmap: str, sign_in: Callable[..., None]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page)
    page.goto(roadmap)
    card = page.locator("article.tradeoff", has_text="Busier engines or shorter queues")
    card.locator("summary", has_text="Accept until date").click()
    form = card.locator("form", has=page.locator("input[value=accepted]"))
    form.get_by_label("Reason").fill("The new pool arrives in spring")
    form.get_by_role("button").click()
    expect(form.get_by_text("Name who answers for it.").last).to_be_visible()
    expect(form.get_by_label("Reason")).to_have_value("The new pool arrives in spring")
    form.get_by_label("Accepted until").fill((timezone.localdate() + timedelta(days=60)).isoformat())
    form.get_by_label("Owner").select_option(index=1)
    form.get_by_role("button").click()
    expect(card).to_contain_text("Decision saved")
    card.get_by_role("button", name="Withdraw the decision").click()
    expect(card).to_contain_text("withdrew the decision on")
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_decision_has_no_barrier(
    page: Page, live_server: Any, roadmap: str, sign_in: Callable[..., None], language: str
) -> None:
    checker = Checker(page, live_server.url)
    sign_in(page)
    checker.speak(language)
    page.goto(roadmap)
    page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    checker.examine("cards unfolded")
    page.locator("article.tradeoff").first.locator("form", has=page.locator("input[value=option]")).locator(
        "button"
    ).click()
    page.wait_for_selector(".error-summary")
    expect(page.locator(".error-summary")).to_be_focused()
    checker.examine("decision refused")
    assert checker.problems == []


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_cards_fit_and_their_targets_are_large_enough(
    page: Page, roadmap: str, sign_in: Callable[..., None], width: int
) -> None:
    sign_in(page)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(roadmap)
    page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    assert page.evaluate(OVERFLOW) == []
    assert [each for each in page.evaluate(SMALL, 24) if "badge" in each or "tradeoff" in each] == []
