"""A real Chromium against a live server. Without one these tests are left out, and that is said plainly."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
# Playwright's own loop runs in this thread; Django's guard against blocking calls in it does not apply.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave browser tests out where there is no browser, unless one is demanded (as in CI)."""
    if CHROMIUM:
        return
    if os.environ.get("BALLAST_REQUIRE_BROWSER"):
        raise pytest.UsageError("Chromium is required (BALLAST_REQUIRE_BROWSER) but none was found.")
    skip = pytest.mark.skip(reason="browser tests left out: no Chromium found (set CHROMIUM to its path)")
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, quiet, without calls to the outside."""
    return {
        "executable_path": CHROMIUM,
        "args": [
            *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        ],
    }


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    return {"locale": "en-GB", "timezone_id": "UTC", "viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def demo(transactional_db: None) -> Any:
    """The shipped matrix and the demo organisation, loaded through the services."""
    from django.core.management import call_command

    from portal.accounts.models import Organisation

    call_command("load_matrix", verbosity=0)
    call_command("demo", language="en", verbosity=0)
    return Organisation.objects.get(slug="ballast-demo")


@pytest.fixture
def sign_in(live_server: Any) -> Callable[..., None]:
    """Sign in through the form: `sign_in(page, email, password)`; the demo's owner by default."""

    def enter(page: Any, email: str = "ada@example.com", password: str = "ballast-demo") -> None:
        page.goto(f"{live_server.url}/accounts/login/")
        page.fill("input[name=login]", email)
        page.fill("input[name=password]", password)
        page.click("main button[type=submit]")
        page.wait_for_url(lambda url: "/accounts/login" not in url)

    return enter


@pytest.fixture(autouse=True)
def console_stays_clean(request: pytest.FixtureRequest) -> Iterator[None]:
    """No script error and no blocked resource on any page of a test (unless marked `noisy_console`)."""
    if "page" not in request.fixturenames:
        yield
        return
    page = request.getfixturevalue("page")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
    page.on(
        "console",
        lambda message: (
            problems.append(message.text)
            if message.type == "error" and "Content Security Policy" in message.text
            else None
        ),
    )
    yield
    assert problems == []
