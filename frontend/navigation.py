"""The left navigation: one list that the pages and the command palette share."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Entry:
    """A place: where it is, and the action a role needs to see it."""

    route: str
    label: str | Promise
    icon: str
    action: str


@dataclass(frozen=True, slots=True)
class Link:
    """An entry as one person sees it on one page."""

    url: str
    label: str | Promise
    icon: str
    current: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Links under one heading; the last group stands at the foot of the bar."""

    title: str | Promise
    links: tuple[Link, ...]
    at_end: bool


GROUPS: tuple[tuple[str | Promise, tuple[Entry, ...]], ...] = (
    ("", (Entry("dashboard:home", _("Home"), "home", "organisation.view"),)),
    (
        _("Assess"),
        (
            Entry("assessments:list", _("Assessments"), "check", "assessments.view"),
            Entry("assessments:compare", _("Compare"), "compare", "assessments.view"),
            Entry("assessments:matrix", _("Matrix"), "matrix", "matrix.view"),
            Entry("experiments:signals", _("Signals"), "signal", "matrix.view"),
        ),
    ),
    (
        _("Improve"),
        (
            Entry("roadmaps:list", _("Roadmaps"), "roadmap", "roadmaps.view"),
            Entry("reports:list", _("Reports"), "report", "reports.view"),
        ),
    ),
    (_("Inventory"), (Entry("clusters:list", _("Clusters"), "cluster", "clusters.view"),)),
    (
        "",
        (
            Entry("audit:activity", _("Activity"), "activity", "activity.view"),
            Entry("accounts:settings", _("Settings"), "settings", "organisation.view"),
            Entry("dashboard:help", _("Help"), "help", "organisation.view"),
        ),
    ),
)

# Pages that belong to another entry than the name of their app says.
BELONGS = {
    "assessments:practice": "assessments:matrix",
    "assessments:cluster-kpis": "clusters:list",
    "assessments:cluster-kpis-numbers": "clusters:list",
    "assessments:cluster-kpis-import": "clusters:list",
    "assessments:cluster-kpis-preview": "clusters:list",
}


def current_route(view_name: str) -> str:
    """The entry that a page belongs to: its own name, a longer name that starts so, or its app's first."""
    routes = [entry.route for _title, entries in GROUPS for entry in entries]
    name = BELONGS.get(view_name, view_name)
    starting = [route for route in routes if name == route or name.startswith((f"{route}-", f"{route}_"))]
    if starting:
        return max(starting, key=len)
    app = name.partition(":")[0]
    same_app = [route for route in routes if route.startswith(f"{app}:")]
    return same_app[0] if ":" in name and same_app else ""


def groups(slug: str, view_name: str, may: Collection[str]) -> list[Group]:
    """What the bar shows in the organisation `slug` on the page `view_name` for a role that may do `may`.

    An entry whose page does not exist is left out rather than breaking every other page.
    """
    here = current_route(view_name)
    shown = []
    for index, (title, entries) in enumerate(GROUPS):
        links = tuple(
            Link(url, entry.label, entry.icon, current=entry.route == here)
            for entry in entries
            if entry.action in may and (url := _url(entry.route, slug))
        )
        if links:
            shown.append(Group(title, links, at_end=index == len(GROUPS) - 1))
    return shown


def _url(route: str, slug: str) -> str:
    arguments: dict[str, Any] = {"slug": slug}
    try:
        return reverse(route, kwargs=arguments)
    except NoReverseMatch:
        return ""
