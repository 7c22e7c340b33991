"""The layouts render everywhere and keep the content security policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client

TEMPLATES = Path(__file__).resolve().parents[2] / "frontend" / "templates"

pytestmark = pytest.mark.urls("tests.frontend.urls")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_style_guide_renders_in_both_languages(db: None, client: Client, language: str) -> None:
    client.cookies["django_language"] = language
    response = client.get("/styleguide?errors=1")
    page = response.content.decode()
    assert response.status_code == 200
    assert f'<html lang="{"zh-Hans" if language == "zh-hans" else "en"}"' in page
    assert ("路线图" in page) == (language == "zh-hans")
    assert 'aria-current="page"' in page


def test_title_of_a_page_with_errors_says_so(db: None, client: Client) -> None:
    page = client.get("/styleguide?errors=1").content.decode()
    assert "<title>Error: Style guide · Ballast</title>" in page
    assert 'href="#id_name"' in page
    assert 'id="id_name_error"' in page
    assert "autofocus" in page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_cookie_reaches_the_first_byte(db: None, client: Client, theme: str) -> None:
    client.cookies["theme"] = theme
    assert f'data-theme="{theme}"' in client.get("/styleguide").content.decode()


def test_a_forged_theme_cookie_is_ignored(db: None, client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in client.get("/styleguide").content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/styleguide?errors=1",
        "/nowhere",
    ],
)
def test_pages_hold_no_inline_code_or_style(db: None, client: Client, address: str) -> None:
    page = client.get(address).content.decode()
    assert not re.search(r"\sstyle\s*=", page)
    assert not re.search(r"<style", page)
    assert not re.search(r"\son[a-z]+\s*=", page)
    for script in re.findall(r"<script([^>]*)>", page):
        assert "src=" in script or 'type="application/json"' in script


def test_templates_of_the_look_hold_no_style_attribute_or_handler() -> None:
    offenders = [
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if re.search(r"""\s(style|on[a-z]+)\s*=\s*["']""", path.read_text("utf-8"))
    ]
    assert offenders == []


@pytest.mark.parametrize("name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html"])
def test_error_pages_render_without_a_request(name: str) -> None:
    page = render_to_string(name)
    assert "<h1>" in page
    assert 'href="/"' in page


def test_a_failure_shows_the_500_page(db: None, client: Client) -> None:
    client.raise_request_exception = False
    response = client.get("/fails")
    assert response.status_code == 500
    assert "Something failed on our side" in response.content.decode()


def test_sign_in_pages_have_our_look(db: None, client: Client) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert "plain__card" in page
    assert 'autocomplete="current-password"' in page


def test_a_person_sees_their_menu_and_account_pages(people: object, client: Client) -> None:
    client.force_login(people.ada)  # type: ignore[attr-defined]
    page = client.get("/styleguide").content.decode()
    assert "ada@example.com" in page
    for address in ("/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/"):
        response = client.get(address)
        assert response.status_code in {200, 302}, address
