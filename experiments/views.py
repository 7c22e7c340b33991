"""The catalogue of signals as a page, and its recording rules as a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from experiments import words
from experiments.domain.rules import scope_of
from experiments.domain.signal_model import INSTANT, Expression, NotCovered, Signal, Stack
from experiments.domain.signals import catalogue
from experiments.downloads import rules_response
from experiments.forms import ALL, SignalFilter
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Invalid

FIRST = "vllm"


@dataclass(frozen=True, slots=True)
class Row:
    """An expression as the page shows it."""

    signal: Signal
    expression: Expression
    promql: str
    left_out: list[str]

    @property
    def id(self) -> str:
        """For links and for the button that copies."""
        return f"{self.expression.stack}-{self.signal.name}"

    @property
    def window(self) -> str:
        return str(words.INSTANT) if self.signal.window == INSTANT else self.signal.window

    @property
    def better(self) -> str:
        return str(words.BETTER[self.signal.better])

    @property
    def series(self) -> str:
        return str(words.SERIES[self.signal.series])

    @property
    def checked(self) -> tuple[str, Any]:
        return words.CHECKED[self.expression.checked]


@dataclass(frozen=True, slots=True)
class Section:
    """A stack with the rows that match, and the signals it is known to lack."""

    stack: Stack
    rows: list[Row]
    gaps: list[tuple[Signal, NotCovered]]


def filter_form(query: QueryDict) -> SignalFilter:
    """The filter with its default: a search looks in every stack, else the page opens with one."""
    data = query.copy()
    if not data.get("stack"):
        data["stack"] = ALL if data.get("q", "").strip() else FIRST
    return SignalFilter(data)


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """Signals by stack, narrowed to a scope where one is given, with what to switch on and what misleads."""
    form = filter_form(request.GET)
    valid = form.is_valid()
    given: dict[str, Any] = form.cleaned_data if valid else {}
    scope = scope_of(given.get("cluster", ""), given.get("namespace", ""))
    chosen = given.get("stack", FIRST)
    sections = list(_sections(chosen, given["q"].casefold(), scope)) if valid else []
    context = {
        "form": form,
        "sections": sections,
        "count": sum(len(each.rows) for each in sections),
        "total": len(catalogue().signals),
        "scope": scope,
        "rules_query": urlencode({"stack": chosen, **scope}),
        "language": get_language() or "en",
    }
    return render(request, "experiments/signals.html", context, status=200 if valid else 400)


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def rules(request: OrganisationRequest) -> HttpResponse:
    """The recording rules of a stack (default: all) in a scope, as a file."""
    form = SignalFilter(request.GET)
    if not form.is_valid():
        place = next(iter(form.errors))
        raise Invalid("signals.query", " ".join(str(each) for each in form.errors[place]), place=place)
    given: dict[str, Any] = form.cleaned_data
    stacks = [given["stack"]] if given["stack"] not in ("", ALL) else []
    return rules_response(stacks, scope_of(given["cluster"], given["namespace"]))


def _sections(chosen: str, searched: str, scope: Mapping[str, str]) -> Iterator[Section]:
    known = catalogue()
    for stack in known.stacks:
        if chosen not in (ALL, stack.id):
            continue
        rows = [
            Row(
                known.by_id[one.signal],
                one,
                one.scoped(scope),
                [str(words.SCOPE[label]) for label in one.left_out(scope)],
            )
            for one in stack.expressions
            if _matches(searched, known.by_id[one.signal], one.promql, one.exporter)
        ]
        gaps = [
            (known.by_id[gap.signal], gap)
            for gap in stack.not_covered
            if _matches(searched, known.by_id[gap.signal])
        ]
        if rows or gaps:
            yield Section(stack, rows, gaps)


def _matches(searched: str, signal: Signal, *more: str) -> bool:
    """Whether the words stand in what a person would look a signal up by."""
    texts = (signal.id, signal.title.en, signal.title.zh, signal.meaning.en, signal.meaning.zh)
    return searched in " ".join([*texts, *signal.practices, *more]).casefold()
