"""The matrix as a catalogue: versions, practices, clauses, rulings."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from assessments import matrix_selectors, selectors
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import Matrix
from assessments.matrix_selectors import Version
from assessments.views.worksheet import language, level_cards
from experiments.domain.signals import catalogue
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action


def _matrix(request: Any) -> tuple[Version, Matrix]:
    wanted = request.GET.get("version") or selectors.newest_matrix_version().sha256
    return matrix_selectors.content(request.organisation, str(wanted)[:64])


def _query(request: Any, matrix: Matrix) -> str:
    """What links to practices carry so that they stay within the version that was chosen."""
    return f"?version={matrix.sha256}" if request.GET.get("version") else ""


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """All practices by dimension, with a search over id, title and question."""
    version, matrix = _matrix(request)
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
        "version": version,
        "version_query": _query(request, matrix),
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
    version, matrix = _matrix(request)
    if practice not in matrix:
        return _left_out(request, version, practice)
    found = matrix.practice(practice)
    signals = catalogue()
    context = {
        "matrix": matrix,
        "version": version,
        "version_query": _query(request, matrix),
        "origins": matrix_selectors.provenance(version.custom).get(practice, ()),
        "elsewhere": matrix_selectors.changes_of(request.organisation, practice, besides=matrix.sha256),
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


def _left_out(request: OrganisationRequest, version: Version, practice: str) -> HttpResponse:
    """A practice that an overlay leaves out, with the reason. NotFound for any other."""
    ignored = version.custom.ignored if version.custom else []
    said = next((each for each in ignored if each["practice"] == practice), None)
    if said is None:
        raise selectors.not_found()
    context = {"version": version, "said": said, "practice": practice}
    return render(request, "assessments/practice_left_out.html", context)
