"""The matrix as a catalogue: versions, practices, clauses, rulings."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from assessments import matrix_selectors, selectors
from assessments.domain.dimensions import Dimension
from assessments.views.worksheet import language, level_cards
from experiments.domain.signals import catalogue
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action


def _matrix(request: Any) -> Any:
    wanted = request.GET.get("version") or selectors.newest_matrix_version().sha256
    return matrix_selectors.matrix(request.organisation, str(wanted)[:64])


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """All practices by dimension, with a search over id, title and question."""
    matrix = _matrix(request)
    lang = language()
    words = request.GET.get("q", "").strip().casefold()[:80]
    groups = []
    for dimension in Dimension:
        practices = [
            each
            for each in matrix.by_dimension(dimension)
            if words
            in f"{each.id} {each.title.en} {each.title.zh} {each.question.en} {each.question.zh}".casefold()
        ]
        if practices:
            groups.append((dimension, dimension.full_name.in_language(lang), practices))
    context = {
        "matrix": matrix,
        "versions": matrix_selectors.versions(request.organisation),
        "groups": groups,
        "query": request.GET.get("q", ""),
        "language": lang,
    }
    return render(request, "assessments/matrix.html", context)


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def practice(request: OrganisationRequest, practice: str) -> HttpResponse:
    """One practice with everything a rater and a reader need."""
    matrix = _matrix(request)
    if practice not in matrix:
        raise selectors.not_found()
    found = matrix.practice(practice)
    signals = catalogue()
    context = {
        "matrix": matrix,
        "practice": found,
        "cards": level_cards(matrix, found, None),
        "language": language(),
        "needs": [(need, matrix.practice(need.practice)) for need in found.needs],
        "needed_by": [each for each in matrix.practices if any(n.practice == found.id for n in each.needs)],
        "signals": [
            (each, known.title.in_language(language()) if (known := signals.by_id.get(each)) else "")
            for each in found.signals
        ],
        "controls": [(each, matrix.controls.get(each, "")) for each in found.nist],
    }
    return render(request, "assessments/practice.html", context)
