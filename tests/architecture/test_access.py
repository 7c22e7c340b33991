"""Every route of an organisation, asked by everybody, against the one table of roles and actions.

Six roles of one organisation, the owner of another, and nobody at all: allowed means anything but a
refusal, lacking the action means 403, a stranger sees exactly what a missing organisation shows, and an
object of another organisation looks exactly like one that never was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from portal.accounts.domain.permissions import TABLE, Action, Role
from tests.architecture.access_objects import GONE_UUID, SHARED, World, gone, value, world_of

HTML, API = "o/<slug:slug>/", "api/v1/o/<slug:slug>/"
WRITES = ("POST", "PATCH", "DELETE")


@dataclass(frozen=True)
class Route:
    """A pattern under an organisation, whatever app it came from."""

    pattern: str
    actions: dict[str, Action] | None
    api: bool

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(name for _kind, name in re.findall(r"<(\w+):(\w+)>", self.pattern) if name != "slug")

    @property
    def methods(self) -> tuple[str, ...]:
        """What the route may be asked: an API route exactly what it declares, a page GET and POST."""
        return tuple(self.actions or ())

    def url(self, slug: str, values: dict[str, Any]) -> str:
        def fill(found: re.Match[str]) -> str:
            return slug if found[2] == "slug" else str(values[found[2]])

        return "/" + re.sub(r"<(\w+):(\w+)>", fill, self.pattern)


def walk(patterns: list[Any], before: str = "") -> Iterator[Route]:
    for each in patterns:
        text = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from walk(each.url_patterns, text)
        elif isinstance(each, URLPattern) and text.startswith((HTML, API)):
            view = getattr(each.callback, "cls", each.callback)
            yield Route(text, getattr(view, "required_actions", None), text.startswith(API))


ROUTES = list(walk(get_resolver().url_patterns))


def ask(client: Client, method: str, url: str, api: bool) -> tuple[int, str, str]:
    """(status, body, where a redirect leads); whatever the request did is rolled back."""
    options = {"data": b"{}", "content_type": "application/json"} if api and method != "GET" else {}
    with transaction.atomic():
        reply = getattr(client, method.lower())(url, **options)
        body = b"".join(reply.streaming_content) if reply.streaming else reply.content
        transaction.set_rollback(True)
    return reply.status_code, body.decode("utf-8", "replace"), reply.headers.get("Location", "")


def signed_in(person: Any) -> Client:
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    return client


def plain(body: str, url: str) -> str:
    """A page without what differs between any two requests: its own address and the CSRF tokens."""
    body = body.replace(url, "URL")
    body = re.sub(r'(name="csrfmiddlewaretoken" value|name="csrf-token" content)="[^"]*"', "", body)
    return body


@pytest.fixture
def north(people: Any) -> World:
    call_command("load_matrix", verbosity=0)
    return world_of(people.north)


@pytest.fixture
def south(people: Any, north: World) -> World:
    return world_of(people.south)


def values(route: Route, world: World, person: Any = None) -> dict[str, Any]:
    return {keyword: value(world, keyword, person) for keyword in route.keywords}


def test_there_is_something_to_walk() -> None:
    assert len([route for route in ROUTES if route.api]) > 20
    assert len([route for route in ROUTES if not route.api]) > 20


def test_every_route_says_which_action_it_needs() -> None:
    silent = [route.pattern for route in ROUTES if not route.actions]
    assert silent == [], "use organisation_view(Action.X), or required_actions on an API view"
    wrong = [
        route.pattern
        for route in ROUTES
        if not all(isinstance(action, Action) for action in (route.actions or {}).values())
    ]
    assert wrong == []


def test_roles_may_do_what_the_table_says_and_nothing_else(people: Any, north: World) -> None:
    wrong = []
    for role, person in people.by_role.items():
        client = signed_in(person)
        for route in ROUTES:
            url = route.url("north", values(route, north, person))
            for method, action in (route.actions or {}).items():
                status, _body, where = ask(client, method, url, route.api)
                may = Role(role) in TABLE[action]
                refused = status in {401, 403, 404} or where.startswith("/accounts/")
                if (may and refused) or (not may and status != 403) or status >= 500:
                    wrong.append(f"{role} {method} {url} ({action.value}): {status} {where}")
    assert wrong == []


def test_other_methods_are_no_way_around(people: Any, north: World) -> None:
    """A page asked by PATCH or DELETE needs the same action as by POST; an API route has no such method."""
    viewer, wrong = signed_in(people.ben), []
    for route in ROUTES:
        actions = route.actions or {}
        url = route.url("north", values(route, north, people.ben))
        for method in WRITES:
            if method in actions:
                continue
            status, _body, _where = ask(viewer, method, url, route.api)
            lacks = Role.VIEWER not in TABLE[actions["POST"]] if not route.api else False
            if (route.api and status != 405) or (lacks and status != 403):
                wrong.append(f"{method} {url}: {status}")
    assert wrong == []


def test_a_stranger_sees_what_a_missing_organisation_shows(people: Any, north: World) -> None:
    eve, wrong = signed_in(people.eve), []
    for route in ROUTES:
        own = values(route, north)
        for method in route.methods:
            here, nowhere = route.url("north", own), route.url("no-such-place", own)
            status, body, _where = ask(eve, method, here, route.api)
            other, other_body, _where = ask(eve, method, nowhere, route.api)
            same = (status, plain(body, here)) == (other, plain(other_body, nowhere))
            if status != 404 or not same:
                wrong.append(f"{method} {here}: {status}, missing organisation: {other}, same: {same}")
    assert wrong == []


def test_nobody_is_asked_to_sign_in(north: World) -> None:
    anonymous, wrong = signed_in(None), []
    for route in ROUTES:
        url = route.url("north", values(route, north))
        for method in route.methods:
            status, _body, where = ask(anonymous, method, url, route.api)
            good = (
                status == 401
                if route.api
                else (status, where.split("?")[0]) == (302, reverse("account_login"))
            )
            if not good:
                wrong.append(f"{method} {url}: {status} {where}")
    assert wrong == []


def test_foreign_objects_look_like_missing_ones(people: Any, north: World, south: World) -> None:
    """Ada asks in her own organisation, each id in turn replaced by Eve's and by one that never was."""
    ada, wrong = signed_in(people.ada), []
    for route in ROUTES:
        own = values(route, north, people.ada)
        for keyword in (name for name in route.keywords if name not in SHARED):
            answered = False
            for method in route.methods:
                foreign = route.url("north", {**own, keyword: value(south, keyword, people.eve)})
                missing = route.url("north", {**own, keyword: gone(keyword)})
                status, body, _where = ask(ada, method, foreign, route.api)
                other, other_body, _where = ask(ada, method, missing, route.api)
                same = plain(body, foreign) == plain(other_body, missing)
                if (status, other) == (405, 405):  # a page that answers to POST only, or to GET only
                    continue
                answered = True
                if (status, other) != (404, 404) or not same:
                    wrong.append(f"{method} {foreign}: {status}, missing: {other}, same: {same}")
            if not answered:
                wrong.append(f"{route.pattern}: no method answers")
    assert wrong == []


def test_an_unknown_keyword_is_named(north: World) -> None:
    with pytest.raises(AssertionError, match="thing_id"):
        value(north, "thing_id")
    assert gone("cluster_id") == GONE_UUID
