"""What every address under /api/ that nobody serves answers."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from portal.errors import NotFound


@csrf_exempt
def unknown(request: HttpRequest) -> JsonResponse:
    """404 in the API's own shape. It changes nothing, so it needs no CSRF token to say so."""
    error = NotFound("address_unknown", _("There is no such address in the API."))
    return JsonResponse({"error": error.as_dict()}, status=error.status)
