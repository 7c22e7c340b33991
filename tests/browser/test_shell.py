"""What the shared look does in a real browser: palette, theme, menus, keys, reflow, charts, accessibility."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from frontend.plots.theme import palette

pytestmark = [pytest.mark.urls("tests.frontend.urls")]


@pytest.fixture
def guide(live_server: Any, page: Any, transactional_db: None) -> Any:
    """The style guide, with its scripts started."""
    page.goto(f"{live_server.url}/styleguide")
    page.locator("html[data-ready=true]").wait_for()
    page.locator("[data-island=palette]").wait_for(state="attached")
    return page


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[i : i + 2], 16) for i in (1, 3, 5)))


def background(page: Any) -> str:
    return str(page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor"))


def cookie(page: Any, url: str, name: str, value: str) -> None:
    page.context.add_cookies([{"name": name, "value": value, "url": url}])


def test_the_palette_opens_a_page_by_keyboard_alone(guide: Any) -> None:
    guide.keyboard.press("Control+k")
    guide.locator("dialog.palette[open]").wait_for()
    guide.keyboard.type("road")
    assert guide.locator("[role=option]:visible").count() == 1
    guide.keyboard.press("Enter")
    guide.wait_for_url("**/o/demo/roadmaps/list")


def test_the_palette_offers_commands_of_the_page_and_says_when_nothing_fits(guide: Any) -> None:
    guide.locator("[data-opens=palette]").click()
    guide.keyboard.type("ｅｒｒｏｒｓ")  # full-width letters match as well
    assert guide.locator("[role=option]:visible").inner_text().startswith("Show form errors")
    guide.keyboard.type("xx")
    assert guide.locator(".palette__none").is_visible()
    guide.keyboard.press("Escape")
    assert not guide.locator("dialog.palette[open]").count()
    assert guide.evaluate("() => document.activeElement.dataset.opens") == "palette"


def test_enter_that_ends_a_composition_opens_nothing(guide: Any) -> None:
    guide.keyboard.press("Control+k")
    before = guide.url
    guide.evaluate(
        """() => document.querySelector('.palette__input').dispatchEvent(
            new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, isComposing: true, bubbles: true}))"""
    )
    guide.wait_for_timeout(150)
    assert guide.url == before
    assert guide.locator("dialog.palette[open]").count() == 1


KEYS = """async (steps) => {
  const keys = await import('/static/js/lib/keys.js');
  let count = 0;
  keys.shortcut('3', () => { count += 1; });
  keys.shortcut('g r', () => { count += 10; });
  const press = (target, key, more = {}) =>
    target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
  const field = document.createElement('input');
  document.querySelector('main').append(field);
  for (const [where, key, more] of steps) press(where === 'field' ? field : document.body, key, more);
  return count;
}"""


@pytest.mark.parametrize(
    ("switch", "steps", "fired"),
    [
        ("on", [["page", "3", {}]], 1),
        ("on", [["page", "g", {}], ["page", "r", {}]], 10),
        ("on", [["page", "g", {}], ["page", "3", {}]], 1),
        ("on", [["field", "3", {}]], 0),
        ("on", [["page", "3", {"isComposing": True}]], 0),
        ("on", [["page", "3", {"ctrlKey": True}]], 0),
        ("on", [["page", "3", {"altKey": True}]], 0),
        ("off", [["page", "3", {}]], 0),
    ],
)
def test_single_keys_fire_only_where_they_may(guide: Any, switch: str, steps: list[Any], fired: int) -> None:
    guide.evaluate("(value) => { document.body.dataset.singleKey = value; }", switch)
    assert guide.evaluate(KEYS, steps) == fired


def test_the_theme_is_kept_and_drawn_before_scripts(
    live_server: Any, page: Any, transactional_db: None
) -> None:
    page.goto(f"{live_server.url}/accounts/login/")
    page.locator("html[data-ready=true]").wait_for()
    page.get_by_role("button", name="Dark").click()
    page.locator("html[data-theme=dark]").wait_for()
    assert background(page) == rgb(palette("dark")["bg"])
    page.reload(wait_until="commit")
    page.locator("html[data-theme=dark]").wait_for()
    assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_a_choice_the_system_decides(guide: Any, scheme: Any) -> None:
    guide.emulate_media(color_scheme=scheme)
    assert background(guide) == rgb(palette(scheme)["bg"])


def test_the_chart_is_drawn_and_drawn_again_in_the_other_theme(guide: Any) -> None:
    chart = guide.locator("[data-island=plot]")
    chart.scroll_into_view_if_needed()
    guide.locator("[data-drawn=true]").wait_for()
    ink = "() => getComputedStyle(document.querySelector('.xtick text')).fill"
    assert guide.evaluate(ink) == rgb(palette("light")["text-muted"])
    guide.emulate_media(color_scheme="dark")
    guide.wait_for_function(
        "(colour) => getComputedStyle(document.querySelector('.xtick text')).fill === colour",
        arg=rgb(palette("dark")["text-muted"]),
    )


def test_plotly_is_not_loaded_before_a_chart_is_near(guide: Any) -> None:
    assert not guide.evaluate("() => 'Plotly' in window")


def test_the_side_bar_opens_and_closes_on_a_narrow_page(guide: Any) -> None:
    guide.set_viewport_size({"width": 390, "height": 800})
    bar = guide.locator("#sidebar")
    assert not bar.is_visible()
    guide.get_by_role("button", name="Menu").click()
    assert bar.is_visible()
    guide.keyboard.press("Escape")
    assert not bar.is_visible()
    assert guide.evaluate("() => document.activeElement.getAttribute('aria-controls')") == "sidebar"


def test_without_scripts_everything_is_there(live_server: Any, browser: Any, transactional_db: None) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{live_server.url}/styleguide")
    assert page.locator("#sidebar").is_visible()
    assert not page.locator(".needs-script").first.is_visible()
    context.close()


def test_the_first_stop_is_the_skip_link(guide: Any) -> None:
    guide.keyboard.press("Tab")
    assert guide.evaluate("() => document.activeElement.className") == "skip-link"
    guide.keyboard.press("Enter")
    assert guide.evaluate("() => document.activeElement.id") == "main"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("path", ["/styleguide?errors=1", "/accounts/login/"])
def test_nothing_scrolls_sideways_at_320_pixels(
    live_server: Any, page: Any, transactional_db: None, language: str, path: str
) -> None:
    cookie(page, live_server.url, "django_language", language)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{live_server.url}{path}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_errors_take_the_focus_and_lead_to_their_fields(
    live_server: Any, page: Any, transactional_db: None
) -> None:
    page.goto(f"{live_server.url}/styleguide?errors=1")
    page.locator(".error-summary:focus").wait_for()
    page.locator(".error-summary a").first.click()
    assert page.evaluate("() => document.activeElement.id") == "id_name"


def test_targets_are_large_enough(guide: Any) -> None:
    small = guide.evaluate(
        """(targets) => [...document.querySelectorAll(targets)]
            .filter((e) => e.checkVisibility())
            .map((e) => [e.className || e.tagName, e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([name, box]) => `${name} ${box.width}x${box.height}`)""",
        "button, select, summary, .button, .chip, .nav__link, .breadcrumbs a, .segmented > *",
    )
    assert small == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(
    live_server: Any, page: Any, transactional_db: None, theme: str, language: str, width: int
) -> None:
    cookie(page, live_server.url, "theme", theme)
    cookie(page, live_server.url, "django_language", language)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{live_server.url}/styleguide?errors=1")
    page.locator("html[data-ready=true]").wait_for()
    # Without preload: axe would fetch what our style sheets import, and look in the wrong folder.
    report = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]})
    assert [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in report.response["violations"]] == []
