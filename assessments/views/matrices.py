"""The matrix versions of an organisation: list, upload, templates, release, retire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import content_disposition_header, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from assessments import matrix_selectors, selectors
from assessments.domain.loader import CONTROLS_FILE
from assessments.domain.matrix_files import MAX_FILES, one_file
from assessments.domain.matrix_sheets import documents_as_values
from assessments.domain.sheet_writing import to_sheets
from assessments.domain.tree_reading import MAX_UPLOAD_BYTES, UploadErrors, from_yaml
from assessments.matrix_selectors import Version
from assessments.models import CustomStatus
from assessments.services import custom_matrices
from assessments.views.imports import XLSX
from assessments.views.listing import url
from frontend.workbooks import Sheet, write_workbook
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Invalid, Refused

OVERLAY = Path(__file__).parents[1] / "matrix" / "overlay.yaml"
YAML = "application/yaml; charset=utf-8"
# Width of a column in characters, by the end of its name; texts get room, the rest is short.
WIDTHS = (("_en", 60), ("_zh", 48), ("en", 80), ("zh", 60), ("id", 14), ("clauses", 24))


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """Shipped and own versions and drafts, with who made them of what, and how many assessments use them."""
    organisation = request.organisation
    found = matrix_selectors.contents(organisation)
    uses = matrix_selectors.uses(organisation)
    labels = {each.sha256: each.label for each in found}
    rows = [
        {
            "version": each,
            "draft": bool(each.custom and each.custom.status == CustomStatus.DRAFT),
            "base": labels.get(each.custom.parent_sha256, "") if each.custom else "",
            "base_sha256": each.custom.parent_sha256 if each.custom else "",
            "uses": uses.get(each.sha256, 0),
        }
        for each in found
    ]
    newest = selectors.newest_matrix_version().sha256
    return render(request, "assessments/matrix_versions.html", {"rows": rows, "newest": newest})


@organisation_view(Action.MATRIX_MANAGE)
@require_http_methods(["GET", "POST"])
def upload(request: OrganisationRequest) -> HttpResponse:
    """Send a matrix or an overlay; every problem is listed with its place and nothing is kept then."""
    context: dict[str, Any] = {"name": request.POST.get("name", ""), "newest": _newest(request)}
    if request.method == "GET":
        return render(request, "assessments/matrix_upload.html", context)
    sent = request.FILES.getlist("files")
    try:
        if not sent:
            raise Invalid("file_missing", _("Choose a file."), place="files")
        # One byte more than is allowed shows that a file is too large.
        files = [(each.name or "file", each.read(MAX_UPLOAD_BYTES + 1)) for each in sent[: MAX_FILES + 1]]
        row, new = custom_matrices.upload(
            organisation=request.organisation, actor=request.user, files=files, name=context["name"]
        )
    except UploadErrors as refused:
        context |= {"refused": refused.message, "problems": refused.extra["problems"], "more": _more(refused)}
        return render(request, "assessments/matrix_upload.html", context, status=refused.status)
    except Refused as refused:
        context |= {"refused": refused.message, "place": refused.place}
        return render(request, "assessments/matrix_upload.html", context, status=refused.status)
    if not new:
        messages.info(request, _("This content is here already: nothing was added."))
    sides = {"a": row.parent_sha256 or context["newest"].sha256, "b": row.sha256}
    return HttpResponseRedirect(f"{url('matrix-difference', request)}?{urlencode(sides)}")


def _newest(request: OrganisationRequest) -> Version:
    return matrix_selectors.find(request.organisation, selectors.newest_matrix_version().sha256)


def _more(refused: UploadErrors) -> int:
    return refused.count - len(refused.findings)


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def file(request: OrganisationRequest) -> HttpResponse:
    """A version (default: the newest shipped one) as a workbook or as one YAML file, to be changed."""
    wanted = request.GET.get("version") or selectors.newest_matrix_version().sha256
    found, documents = matrix_selectors.documents(request.organisation, wanted[:64])
    trees = {name: from_yaml(name, text) for name, text in documents.items() if name != CONTROLS_FILE}
    if request.GET.get("form") == "yaml":
        return _download(one_file(trees).encode(), YAML, f"matrix-{found.version}.yaml")
    sheets = [
        Sheet(name, tuple(map(tuple, rows)), tuple(_width(column) for column in rows[0]))
        for name, rows in to_sheets(documents_as_values(trees)).items()
    ]
    return _download(write_workbook(sheets), XLSX, f"matrix-{found.version}.xlsx")


def _width(column: str) -> int:
    return next((width for end, width in WIDTHS if column.endswith(end)), 12)


@organisation_view(Action.MATRIX_VIEW)
@require_GET
def overlay(request: OrganisationRequest) -> HttpResponse:
    """An example of an overlay over the shipped matrix, with a comment for every part."""
    return _download(OVERLAY.read_bytes(), YAML, "overlay.yaml")


def _download(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


@organisation_view(Action.MATRIX_MANAGE)
@require_POST
def release(request: OrganisationRequest, custom_matrix_id: Any) -> HttpResponse:
    """Make a draft usable, or a retired matrix usable again."""
    row = matrix_selectors.custom(request.organisation, custom_matrix_id)
    try:
        custom_matrices.release(row=row, actor=request.user)
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        messages.success(request, _("%(name)s can be used now.") % {"name": row})
    return HttpResponseRedirect(url("matrix-versions", request))


@organisation_view(Action.MATRIX_MANAGE)
@require_POST
def retire(request: OrganisationRequest, custom_matrix_id: Any) -> HttpResponse:
    """Offer a matrix no more; assessments that use it keep it."""
    row = matrix_selectors.custom(request.organisation, custom_matrix_id)
    try:
        custom_matrices.retire(row=row, actor=request.user)
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        messages.success(request, _("%(name)s is offered no more.") % {"name": row})
    return HttpResponseRedirect(url("matrix-versions", request))
