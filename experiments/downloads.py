"""Files that pages and the API hand out alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpResponse

from experiments.domain.rules import rules_yaml


def rules_response(stacks: Sequence[str], scope: Mapping[str, str]) -> HttpResponse:
    """A rule file to keep; the same wishes give the same bytes."""
    answer = HttpResponse(rules_yaml(stacks, scope), content_type="application/yaml; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="rules.yaml"'
    return answer
