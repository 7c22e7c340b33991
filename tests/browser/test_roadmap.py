"""A roadmap in a real browser: drawn up from the form, changed step by step, by two people at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def drawn_up(page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None]) -> str:
    """The address of a roadmap that was drawn up through the form."""
    sign_in(page)
    page.goto(live_server.url + reverse("roadmaps:new", kwargs={"slug": demo.slug}))
    page.get_by_label("Name").fill("Winter")
    page.get_by_label("Now · engineer-days").fill("10")
    page.get_by_label("Next · engineer-days").fill("10")
    page.get_by_label("Later · engineer-days").fill("10")
    page.get_by_role("button", name="Draw up the roadmap").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Winter")
    return page.url


def test_choices_are_saved_and_survive_a_reload(page: Page, drawn_up: str) -> None:
    step = page.locator("tbody.step").first
    step.get_by_label("Owner").select_option(index=1)
    expect(step.locator("[data-step-state]")).to_have_text("Saved")
    step.get_by_label("Due").fill("2027-02-01")
    step.get_by_label("Due").blur()
    expect(step.locator("[data-step-state]")).to_have_text("Saved")
    page.reload()
    step = page.locator("tbody.step").first
    expect(step.get_by_label("Due")).to_have_value("2027-02-01")
    assert step.get_by_label("Owner").input_value() != ""


def test_a_move_over_the_budget_is_allowed_and_said(page: Page, drawn_up: str) -> None:
    before = page.locator("section.wave").nth(1).locator("tbody.step").count()
    page.locator("tbody.step").first.get_by_label("Wave").select_option("1")
    expect(page.locator("section.wave").nth(1).locator("tbody.step")).to_have_count(before + 1)
    expect(page.get_by_text("A wave is over its budget")).to_be_visible()
    expect(page.get_by_text("Changed by hand since it was drawn up.")).to_be_visible()


def test_two_people_on_one_step_see_both_values(page: Page, drawn_up: str, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto(drawn_up)
    mine, theirs = page.locator("tbody.step").first, other.locator("tbody.step").first
    theirs.get_by_label("Owner").select_option(index=1)
    expect(theirs.locator("[data-step-state]")).to_have_text("Saved")
    name = theirs.get_by_label("Owner").locator("option").nth(1).inner_text()
    mine.get_by_label("Owner").select_option(index=2)
    expect(mine.locator("[data-step-state]")).to_contain_text("Somebody else changed this step")
    expect(mine.locator("[data-step-state]")).to_contain_text(name)
    mine.get_by_role("button", name="Keep mine").click()
    expect(mine.locator("[data-step-state]")).to_have_text("Saved")
    other.reload()
    kept = mine.get_by_label("Owner").input_value()
    expect(other.locator("tbody.step").first.get_by_label("Owner")).to_have_value(kept)


def test_the_scatter_is_drawn(page: Page, drawn_up: str) -> None:
    chart = page.locator("[data-island=plot]")
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_attribute("data-drawn", "true", timeout=15000)


def estimate(page: Page, index: int, cost: str, minutes: str) -> None:
    """Both estimates of a step, each saved when the field is left."""
    step = page.locator("tbody.step").nth(index)
    for label, text in (("Running cost per month", cost), ("SLO minutes saved per month", minutes)):
        field = step.get_by_label(label)
        field.fill(text)
        field.blur()
        expect(step.locator("[data-step-state]")).to_contain_text("Saved")
    expect(step.get_by_role("button", name="Keep mine")).to_have_count(0)


def test_estimates_draw_the_frontier(page: Page, drawn_up: str) -> None:
    section = page.locator("section[aria-labelledby=pareto-h]")
    expect(section).to_contain_text("Enter for each step")
    estimate(page, 0, "100", "30")
    estimate(page, 1, "140", "20.5")
    page.reload()
    figure = section.locator("svg.chart--wide")
    expect(figure).to_be_visible()
    rows = section.locator("#pareto tbody tr")
    expect(rows).to_have_count(2)
    expect(section.locator("#pareto")).to_contain_text("dominated")
    expect(section.locator("#pareto")).to_contain_text("less and saves")
    # Without an estimate the step leaves the figure.
    step = page.locator("tbody.step").nth(1)
    step.get_by_label("Running cost per month").fill("")
    step.get_by_label("Running cost per month").blur()
    expect(step.locator("[data-step-state]")).to_contain_text("Saved")
    page.reload()
    expect(rows).to_have_count(1)
    expect(section).to_contain_text("One of the two numbers lacks:")


@pytest.mark.parametrize("text", ["1,5", "twelve", "1e999", "NaN"])
def test_what_is_no_number_is_refused_and_clears_nothing(page: Page, drawn_up: str, text: str) -> None:
    estimate(page, 0, "100", "30")
    step = page.locator("tbody.step").first
    field = step.get_by_label("Running cost per month")
    field.fill(text)
    field.blur()
    state = step.locator("[data-step-state]")
    expect(state).not_to_contain_text("Saved")
    expect(state).not_to_be_empty()
    page.reload()
    expect(page.locator("tbody.step").first.get_by_label("Running cost per month")).to_have_value("100")
