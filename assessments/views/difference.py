"""What differs between two versions of the matrix, and where the second one comes from."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from assessments import matrix_problem_words, matrix_selectors, selectors
from assessments.domain.matrix import Matrix
from assessments.domain.matrix_diff import diff
from assessments.matrix_selectors import Version
from assessments.models import CustomMatrix
from assessments.views import difference_rows
from assessments.views.worksheet import language
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action

# With no more changed practices than this, all of them are shown open.
FEW = 6


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def difference(request: OrganisationRequest) -> HttpResponse:
    """From version `a` to `b`, drafts among them; by default from the shipped to the newest other one."""
    organisation = request.organisation
    choices = matrix_selectors.contents(organisation)
    newest = selectors.newest_matrix_version().sha256
    wanted = [request.GET.get(side, "")[:64] for side in ("a", "b")]
    if not wanted[1]:
        wanted[1] = next((each.sha256 for each in choices if each.sha256 != wanted[0]), newest)
    if not wanted[0]:
        wanted[0] = newest
    (one, before), (other, after) = (matrix_selectors.content(organisation, each) for each in wanted)
    found = diff(before, after)
    context = {
        "choices": choices,
        "a": one,
        "b": other,
        "found": found,
        "added": difference_rows.headlines(found.added),
        "removed": difference_rows.headlines(found.removed),
        "changed": difference_rows.shown(found),
        "more": max(0, len(found.changed) - difference_rows.MOST_PRACTICES),
        "matrix_rows": difference_rows.matrix_rows(found),
        "open_all": len(found.changed) <= FEW,
        **_origin(other, after),
    }
    return render(request, "assessments/matrix_difference.html", context)


def _origin(side: Version, matrix: Matrix) -> dict[str, Any]:
    """Who changed what in the second version, and what its upload had to say; nothing for a shipped one."""
    row = side.custom
    if row is None:
        return {"own": None}
    origins = [
        (name, matrix.practice(name).title.in_language(language()), entries)
        for name, entries in matrix_selectors.provenance(row).items()
        if name in matrix and any(each.change != "base" for each in entries)
    ]
    whole = CustomMatrix.objects.get(pk=row.pk)
    return {
        "own": whole,
        "origins": origins,
        "ignored": whole.ignored,
        "consequences": whole.consequences,
        "warnings": [matrix_problem_words.explained(each) for each in whole.warnings],
    }
