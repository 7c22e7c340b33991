"""Releasing matrix versions: a version never changes, a new content is a new version."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from assessments.domain.loader import load_documents
from assessments.models import MatrixVersion


def release(documents: Mapping[str, str]) -> tuple[MatrixVersion, bool]:
    """Store the documents as a version, named by the hash of their content.

    Returns the row and whether it is new. Raises MatrixErrors with every problem; nothing is stored then.
    """
    matrix = load_documents(documents)
    with transaction.atomic():
        row, new = MatrixVersion.objects.get_or_create(
            sha256=matrix.sha256, defaults={"version": matrix.version, "documents": dict(documents)}
        )
        if not row.shipped:
            # An organisation had uploaded the same before it was shipped.
            row.shipped = True
            row.save(update_fields=["shipped"])
        return row, new
