"""Pages fit every width, the focus is seen, targets can be hit, forced colours keep their meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.places import OTHER, WORDED, Demo

pytestmark = pytest.mark.django_db(transaction=True)

# Phone, small window, and 1440 px: as it is and at 200 % zoom (half as many CSS pixels).
WIDTHS = (320, 390, 720, 768, 1440)
# What sticks out to the right, without what scrolls inside a box of its own.
OVERFLOW = """() => {
    const width = document.scrollingElement.clientWidth;
    if (document.scrollingElement.scrollWidth <= width) return [];
    const boxed = each => {
        for (let up = each.parentElement; up; up = up.parentElement) {
            if (getComputedStyle(up).overflowX !== "visible") return true;
        }
        return false;
    };
    return [...document.body.querySelectorAll("*")]
        .filter(each => each.getBoundingClientRect().right > width + 0.5 && !boxed(each))
        .slice(0, 3).map(each => `${each.tagName}.${each.className}: ${each.textContent.trim().slice(0, 40)}`)
        .concat(`page is ${document.scrollingElement.scrollWidth} wide`);
}"""
# What has the focus, if a bar lies over it (or over more than half of something tall).
COVERED = """() => {
    const one = document.activeElement;
    if (one === document.body || one.closest(".question__foot, .topbar, .skip-link")) return null;
    const box = (one.closest("label") ?? one).getBoundingClientRect();
    const under = bar => Math.max(0, Math.min(box.bottom, bar.bottom) - Math.max(box.top, bar.top));
    const covered = [".question__foot", ".topbar"].map(name => document.querySelector(name))
        .filter(bar => bar && ["sticky", "fixed"].includes(getComputedStyle(bar).position))
        .reduce((sum, bar) => sum + under(bar.getBoundingClientRect()), 0);
    const outside = box.bottom < 0 || box.top > innerHeight;
    if (!outside && covered <= (box.height > 200 ? box.height / 2 : 1)) return null;
    return `${one.tagName} ${one.id || one.name || one.textContent.trim().slice(0, 30)} `
        + `(${Math.round(box.top)} to ${Math.round(box.bottom)})`;
}"""
# Controls under `least` px in either direction. A box inside a label is hit through the label; links in
# running text are as high as the text.
SMALL = """least => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter(each => each.type !== "hidden" && each.checkVisibility({ visibilityProperty: true }))
    .filter(each => !each.closest(".visually-hidden, .skip-link"))
    .filter(each => getComputedStyle(each).display !== "inline")
    .map(each => each.closest("label") ?? each)
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < least - 0.01 || box.height < least - 0.01)
    .map(([each, box]) => `${each.tagName}.${each.className} "${each.textContent.trim().slice(0, 30)}" `
        + `${box.width.toFixed(1)} × ${box.height.toFixed(1)}`)"""
KEY_PAGES = ("assessments:question", "assessments:questions", "assessments:results")


def test_no_page_scrolls_sideways(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None]
) -> None:
    places = Demo(demo).places()
    sign_in(page)
    problems = []
    for place in places:
        page.goto(live_server.url + place.path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if found := page.evaluate(OVERFLOW):
                problems.append(f"{place.name} at {width}: {'; '.join(found)}")
    assert problems == [], "\n".join(["", *problems])


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (720, 450)])
def test_the_focus_is_never_under_a_bar(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None], width: int, height: int
) -> None:
    here = Demo(demo)
    sign_in(page)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(live_server.url + here.path("assessments:question", practice=WORDED))
    page.wait_for_load_state("networkidle")
    for details in page.locator("main details").all():
        details.evaluate("each => { each.open = true; }")
    problems = []
    for key in ("Tab", "Shift+Tab"):
        page.locator("#note").focus()
        for _step in range(45):
            page.keyboard.press(key)
            if found := page.evaluate(COVERED):
                problems.append(f"{key}: {found}")
    assert problems == [], "\n".join(["", *problems])


@pytest.mark.parametrize("width", [390, 1440])
def test_targets_have_24_pixels(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None], width: int
) -> None:
    here = Demo(demo)
    sign_in(page)
    page.set_viewport_size({"width": width, "height": 900})
    problems = {}
    for name in KEY_PAGES:
        page.goto(live_server.url + here.path(name))
        page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        problems[name] = page.evaluate(SMALL, 24)
    assert problems == {name: [] for name in KEY_PAGES}


@pytest.mark.parametrize("width", [320, 1440])
def test_a_conflict_comes_into_view_with_both_choices(
    page: Page, browser: Browser, live_server: Any, demo: Any, sign_in: Callable[..., None], width: int
) -> None:
    here = Demo(demo)
    sign_in(page)
    question = live_server.url + here.path("assessments:question", practice=OTHER)
    other = browser.new_context(storage_state=page.context.storage_state()).new_page()
    page.set_viewport_size({"width": width, "height": 600})
    for each in (page, other):
        each.goto(question)
        each.wait_for_load_state("networkidle")
    with other.expect_response("**/answers/**"):
        other.keyboard.press("2")
    other.context.close()
    page.locator("#note").focus()
    page.locator("input[name=answer][value='5']").check()
    buttons = page.locator("#answer-banner button")
    expect(buttons).to_have_count(2)
    banner = page.locator("#answer-banner").bounding_box()
    assert banner is not None
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box is not None
        assert banner["x"] < box["x"] and box["x"] + box["width"] < banner["x"] + banner["width"]


def test_answers_have_44_pixels_under_a_finger(
    page: Page, browser: Browser, live_server: Any, demo: Any, sign_in: Callable[..., None]
) -> None:
    here = Demo(demo)
    sign_in(page)
    phone = browser.new_context(
        storage_state=page.context.storage_state(),
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    finger = phone.new_page()
    for name in ("assessments:question", "assessments:questions"):
        finger.goto(live_server.url + here.path(name))
        heights = finger.locator("main label:has(input:is([type=radio], [type=checkbox]))").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert heights and min(heights) >= 44, name
    phone.close()


def test_forced_colours_keep_what_is_chosen_apart(
    page: Page, live_server: Any, demo: Any, sign_in: Callable[..., None]
) -> None:
    here = Demo(demo)
    sign_in(page)
    page.emulate_media(forced_colors="active")
    page.goto(live_server.url + here.path("assessments:questions"))
    looks = (
        page.locator(".answer-table tbody tr")
        .first.locator("label")
        .evaluate_all(
            """all => all.map(each => [
            each.querySelector("input").checked, getComputedStyle(each).backgroundColor])"""
        )
    )
    chosen = {colour for checked, colour in looks if checked}
    assert len(chosen) == 1 and chosen.isdisjoint(colour for checked, colour in looks if not checked)
    page.goto(live_server.url + here.path("assessments:results"))
    for selector in (".heatmap td.heat", "main .level", "main .button"):
        borders = page.locator(selector).evaluate_all(
            "all => all.map(each => parseFloat(getComputedStyle(each).borderTopWidth))"
        )
        assert borders and min(borders) >= 1, selector
    page.goto(live_server.url + here.path("assessments:question", practice=WORDED))
    cards = page.locator(".level-card").evaluate_all(
        "all => all.map(each => [!!each.querySelector('input[name=answer]:checked'), "
        "getComputedStyle(each).outlineStyle + getComputedStyle(each).borderTopColor "
        "+ getComputedStyle(each).borderTopWidth])"
    )
    picked = {look for checked, look in cards if checked}
    assert len(picked) == 1 and picked.isdisjoint(look for checked, look in cards if not checked)
