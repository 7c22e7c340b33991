"""axe-core finds nothing on any page, in both themes and both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from django.urls import reverse
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, TimeoutError, expect

from tests.browser.places import OTHER, WORDED, Demo

pytestmark = pytest.mark.django_db(transaction=True)

EMPTY = (
    *("dashboard:home", "assessments:list", "assessments:new", "assessments:compare", "clusters:list"),
    *("roadmaps:list", "roadmaps:new", "reports:list", "audit:activity", "accounts:tokens"),
)
LANGUAGES = ["en", "zh-hans"]
THEMES = ["light", "dark"]
AXE = AXE_FILE_PATH.read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Without preload: axe would fetch what our style sheets import, and ask for it in the wrong folder.
COMMON = {"resultTypes": ["violations"], "preload": False}
EVERYTHING = COMMON | {"runOnly": {"type": "tag", "values": TAGS}}
# The second theme changes colours and nothing else, so only rules about colours are run again.
COLOURS = COMMON | {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# Long tables repeat themselves, and the frame is the same around every page: in the first combination all
# of a page is examined, in the others all of the first page, then what differs.
WHOLE: dict[str, Any] = {"include": [["html"]]}
FRAME = [[".sidebar"], [".topbar"], ["#palette"]]
SHORT = WHOLE | {"exclude": [["tbody > tr:nth-child(n+6)"], *FRAME]}
RUN = """async ([where, options]) => {
    const found = await axe.run(where, options);
    return found.violations.map(each => `${each.id} ×${each.nodes.length}: ${each.help}: `
        + each.nodes.slice(0, 3).map(node => `${node.target.join(" ")} ${node.html.slice(0, 160)} `
            + (node.any[0]?.message ?? "")).join(" | "));
}"""


class Checker:
    """Collects what axe finds, so that one run names every problem of every page."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base, self.language = page, base, "en"
        self.problems: list[str] = []
        self.met: set[str] = set()
        self.seen = 0
        page.emulate_media(reduced_motion="reduce")
        page.on("console", self._hear)
        page.on("response", self._loaded)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.problems.append(f"{self.page.url}: console: {message.text}")

    def _loaded(self, answer: Response) -> None:
        if answer.status >= 400 and answer.request.resource_type not in ("document", "fetch", "xhr"):
            self.problems.append(f"{self.page.url}: {answer.url} answers {answer.status}")

    def speak(self, language: str) -> None:
        """From the next page on, this language."""
        self.language = language
        cookie: Any = {"name": "django_language", "value": language, "url": self.base}
        self.page.context.add_cookies([cookie])

    def open(self, path: str, name: str, *, status: int = 200) -> None:
        """Load a page in both languages and examine it as it opens."""
        for language in LANGUAGES:
            self.speak(language)
            answer = self.page.goto(self.base + path)
            assert answer is not None and answer.status == status, f"{name} ({path}): {answer}"
            self.examine(name)

    def examine(self, name: str, page: Page | None = None) -> None:
        """Examine what a page shows now, in both themes."""
        page = page or self.page
        try:
            page.wait_for_selector("html[data-ready=true]", state="attached", timeout=20_000)
        except TimeoutError:
            pytest.fail(f"the scripts of {name} ({page.url}) do not start")
        language = page.evaluate("document.documentElement.lang")
        assert language == {"en": "en", "zh-hans": "zh-Hans"}[self.language], f"{name} is in {language}"
        if not page.evaluate("typeof axe === 'object'"):
            page.evaluate(AXE)
        # A target half under the sticky bar would count as too small.
        page.evaluate("scrollTo(0, 0)")
        for theme, options in zip(THEMES, (EVERYTHING, COLOURS), strict=True):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            whole = (theme, self.language) == (
                THEMES[0],
                LANGUAGES[0],
            ) or theme + self.language not in self.met
            self.met.add(theme + self.language)
            found = page.evaluate(RUN, [WHOLE if whole else SHORT, options])
            self.problems += [f"{name} [{theme} {self.language}] {each}" for each in found]
        self.seen += 1


@pytest.fixture
def checker(page: Page, live_server: Any) -> Iterator[Checker]:
    """A browser with axe; afterwards, everything that was found."""
    made = Checker(page, live_server.url)
    yield made
    assert made.problems == [], "\n".join(["", *made.problems])


def test_every_page_of_the_owner(checker: Checker, demo: Any, sign_in: Callable[..., None]) -> None:
    places = Demo(demo).places()
    sign_in(checker.page)
    for place in places:
        checker.open(place.path, place.name)
    assert checker.seen > 80


def test_pages_outside_an_organisation(checker: Checker, demo: Any, sign_in: Callable[..., None]) -> None:
    for name in ("login", "signup", "password/reset"):
        checker.open(f"/accounts/{name}/", name)
    page = checker.page
    page.goto(f"{checker.base}/accounts/login/")
    page.fill("input[name=login]", "ada@example.com")
    page.fill("input[name=password]", "wrong")
    page.click("main button[type=submit]")
    page.wait_for_selector(".error-summary")
    checker.examine("sign-in refused")
    sign_in(page)
    checker.open("/o/ballast-demo/nothing-here", "nothing here", status=404)


def test_an_empty_organisation(checker: Checker, demo: Any, sign_in: Callable[..., None]) -> None:
    from portal.accounts.services import organisations

    empty = organisations.create(actor=Demo(demo).ada, name="Empty", slug="empty")
    sign_in(checker.page)
    for name in EMPTY:
        checker.open(reverse(name, kwargs={"slug": empty.slug}), f"empty {name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_states_that_only_a_person_brings_about(
    checker: Checker, demo: Any, browser: Browser, sign_in: Callable[..., None], language: str
) -> None:
    here, page = Demo(demo), checker.page
    sign_in(page)
    checker.speak(language)
    question = checker.base + here.path("assessments:question", practice=OTHER)
    other = browser.new_context(storage_state=page.context.storage_state()).new_page()
    for each in (page, other):
        each.goto(question)
        each.wait_for_selector("html[data-ready=true]", state="attached")
        each.wait_for_load_state("networkidle")
    with other.expect_response("**/answers/**"):
        other.keyboard.press("2")
    page.keyboard.press("4")
    expect(page.locator("#save")).to_have_attribute("data-save", "conflict")
    checker.examine("conflict")
    other.keyboard.press("n")
    expect(other.locator("#na-reason")).to_be_focused()
    checker.examine("not applicable", other)
    other.context.close()
    page.evaluate("() => localStorage.clear()")
    page.goto(checker.base + here.path("assessments:question", practice=WORDED))
    page.wait_for_load_state("networkidle")
    page.keyboard.press("e")
    page.locator("#evidence-add button[type=submit]").click()
    page.wait_for_selector(".error-summary")
    checker.examine("evidence refused")
    page.goto(checker.base + here.path("assessments:new"))
    page.locator("main button[type=submit]").click()
    page.wait_for_selector(".error-summary")
    checker.examine("form refused")
    page.goto(checker.base + here.path("assessments:results"))
    page.wait_for_load_state("networkidle")
    page.locator("main details.disclosure").evaluate_all("all => all.forEach(each => { each.open = true; })")
    page.locator(".topbar details.menu summary").last.click()
    checker.examine("results with everything open")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    checker.examine("palette")
