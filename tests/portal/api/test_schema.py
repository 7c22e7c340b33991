"""The OpenAPI description is complete, valid, and readable in the browser under the CSP."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("schema") / "schema.yml"
    call_command("spectacular", file=str(path), validate=True, fail_on_warn=True)
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def routes(patterns: list[Any], before: str = "/") -> list[str]:
    found: list[str] = []
    for each in patterns:
        text = before + str(each.pattern)
        if isinstance(each, URLResolver):
            found += routes(each.url_patterns, text)
        elif isinstance(each, URLPattern) and hasattr(each.callback, "cls"):
            found.append(re.sub(r"<\w+:(\w+)>", r"{\1}", text))
    return found


def test_every_route_is_described(schema: dict[str, Any]) -> None:
    here = {path for path in routes(get_resolver().url_patterns) if path.startswith("/api/v1/")}
    assert here - {"/api/v1/schema", "/api/v1/docs"} == set(schema["paths"])


def test_every_operation_has_a_sentence_and_the_error(schema: dict[str, Any]) -> None:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            assert operation.get("description"), f"{method} {path}"
            error = operation["responses"]["default"]["content"]["application/json"]["schema"]
            assert error == {"$ref": "#/components/schemas/Error"}
            assert {"token": []} in operation["security"], f"{method} {path}"


@pytest.mark.django_db
def test_the_page_has_no_inline_script_and_no_foreign_address() -> None:
    client = Client()
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    text = page.content.decode()
    for script in re.findall(r"<script[^>]*>(.*?)</script>", text, re.S):
        assert script.strip() == ""
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert client.get("/api/v1/docs?script=").headers["Content-Type"].startswith("application/javascript")
    assert client.get("/api/v1/schema").status_code == 200


def test_the_reference_lists_every_operation() -> None:
    call_command("api_reference", check=True)
