"""How the tests of this folder call the API."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client
from django.urls import reverse

ROLES = ["owner", "admin", "assessor", "reviewer", "operator", "viewer"]


def client(user: Any) -> Client:
    made = Client()
    made.force_login(user)
    return made


def send(here: Client, method: str, place: str, body: Any = None, **headers: str) -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    return here.generic(
        method, place, "" if body is None else text, content_type="application/json", headers=headers
    )


def url(name: str, slug: str = "north", **ids: Any) -> str:
    return reverse(f"api-{name}", kwargs={"slug": slug, **{f"{key}_id": row.pk for key, row in ids.items()}})
