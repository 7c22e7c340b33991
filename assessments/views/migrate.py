"""Moving an assessment to another matrix version: choose, look at the plan, decide, apply; what was done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from assessments import matrix_problem_words, matrix_selectors, selectors
from assessments.domain.tree_reading import UploadErrors, from_json
from assessments.domain.trees import plain_value
from assessments.models import Assessment, AssessmentStatus
from assessments.services import matrix_migrations
from assessments.views.listing import url
from assessments.views.migrate_rows import plan_context
from assessments.views.worksheet import language
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Conflict, Invalid, Refused

NOWHERE = "-"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form says: version, choices by practice, confirmed ids, the map as typed and as a whole."""

    to: str
    goes: dict[str, str]
    confirmed: list[str]
    text: str
    mapping: Any
    problems: tuple[dict[str, str], ...] = ()


def _asked(data: Any) -> Asked:
    """The choices of the page laid over the map that somebody typed; what cannot be read is a problem."""
    goes = {key[3:]: value for key, value in data.items() if key.startswith("go-") and value}
    confirmed = data.getlist("confirm")
    text = data.get("map", "")
    mapping: Any = {}
    problems: tuple[dict[str, str], ...] = ()
    if text.strip():
        try:
            mapping = plain_value(from_json("map", text))
        except UploadErrors as error:
            problems = tuple(
                {"place": each.place, "code": each.rule, "message": each.message} for each in error.findings
            )
    if isinstance(mapping, dict) and (goes or confirmed):
        mapping = _laid_over(mapping, goes, confirmed)
    return Asked(data.get("to", "")[:64], goes, confirmed, text, mapping, problems)


def _laid_over(mapping: dict[str, Any], goes: dict[str, str], confirmed: list[str]) -> dict[str, Any]:
    made = dict(mapping)
    practices, before = mapping.get("practices") or {}, mapping.get("confirmed") or []
    if isinstance(practices, dict):
        chosen = {name: None if value == NOWHERE else value for name, value in goes.items()}
        made["practices"] = {**practices, **chosen}
    if isinstance(before, list):
        made["confirmed"] = [*before, *confirmed]
    return made


@organisation_view(Action.ASSESSMENTS_MIGRATE)
@require_http_methods(["GET", "POST"])
def migrate(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Choose a version and look at the plan (GET or POST); apply exactly that plan (POST with `apply`)."""
    one = selectors.assessment(request.organisation, assessment_id)
    asked = _asked(request.POST if request.method == "POST" else request.GET)
    if request.method == "POST" and not asked.to:
        return _page(request, one, asked, Invalid("version_missing", _("Choose a version."), place="to"))
    if request.method == "GET" or "apply" not in request.POST or asked.problems:
        return _page(request, one, asked)
    to = matrix_selectors.find(request.organisation, asked.to, usable=True)
    try:
        done = matrix_migrations.apply(
            assessment=one,
            to=to.sha256,
            mapping=asked.mapping,
            expected=request.POST.get("expected", "")[:64],
            actor=request.user,
            milestone_name=request.POST.get("milestone", ""),
        )
    except Refused as refused:
        return _page(request, one, asked, refused)
    messages.success(request, _("The assessment has moved to %(version)s.") % {"version": to.label})
    return HttpResponseRedirect(url("migration", request, migration_id=done.pk))


def _page(
    request: OrganisationRequest, one: Assessment, asked: Asked, refused: Refused | None = None
) -> HttpResponse:
    """The page with the plan, as far as a version is chosen, and with what was refused."""
    choices = [
        each
        for each in matrix_selectors.versions(request.organisation)
        if each.usable and each.sha256 != one.matrix_version_id
    ]
    context: dict[str, Any] = {
        "assessment": one,
        "now": matrix_selectors.find(request.organisation, one.matrix_version_id),
        "choices": choices,
        "asked": asked,
        "closed": one.status == AssessmentStatus.CLOSED,
        "refused": refused,
        "milestone": request.POST.get("milestone") or matrix_migrations.milestone_title(one),
    }
    status = refused.status if refused else 400 if asked.problems else 200
    if asked.to:
        to = matrix_selectors.find(request.organisation, asked.to, usable=True)
        try:
            found = matrix_migrations.preview(assessment=one, to=to.sha256, mapping=asked.mapping)
        except Refused as error:
            context["refused"], status = refused or error, error.status
        else:
            listed = [*asked.problems, *(each.as_dict() for each in found.problems)]
            problems = [matrix_problem_words.explained(each) for each in listed]
            context |= {"to": to, "found": found, "problems": problems, **plan_context(found, asked)}
            if problems and status == 200:
                status = Invalid.status
    if isinstance(refused, Conflict) and refused.code == "preview_stale":
        status = Conflict.status
    return render(request, "assessments/migrate.html", context, status=status)


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def moves(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """The version an assessment has, and how it came to it."""
    one = selectors.assessment(request.organisation, assessment_id)
    context = {
        "assessment": one,
        "now": matrix_selectors.find(request.organisation, one.matrix_version_id),
        "rows": matrix_selectors.migrations(one),
        "closed": one.status == AssessmentStatus.CLOSED,
    }
    return render(request, "assessments/migrations.html", context)


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def migration(request: OrganisationRequest, migration_id: Any) -> HttpResponse:
    """What a move did: counts, every old answer that was not carried over, evidence, the map."""
    row = matrix_selectors.migration(request.organisation, migration_id)
    titles = selectors.matrix(row.to_version_id)
    lang = language()
    mapped = [
        {**each, "title": titles.practice(each["targets"][0]).title.in_language(lang)}
        for each in row.plan["outcomes"]
        if each["result"] == "mapped"
    ]
    archived = [
        {**each, "title": (each["title"] or {}).get("zh" if lang.startswith("zh") else "en", "")}
        for each in row.archived
    ]
    elsewhere = [each for each in row.evidence if each["to"] != [each["practice"]]]
    context = {
        "row": row,
        "evidence": elsewhere,
        "followed": len(row.evidence) - len(elsewhere),
        "assessment": row.assessment,
        "counts": row.plan["counts"],
        "mapped": mapped,
        "waiting": [each for each in archived if each["result"] == "needs_answer"],
        "archived": [each for each in archived if each["result"] == "archived"],
        "still_here": row.assessment.matrix_version_id == row.to_version_id,
        "mapping": row.mapping,
    }
    return render(request, "assessments/migration.html", context)
