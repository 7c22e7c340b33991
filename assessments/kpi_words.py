"""What the codes of KPI domain code say, in the language of the request."""

from __future__ import annotations

from django.utils.translation import gettext as _

from assessments.domain.kpis.csv_reading import Problem


def problem(one: Problem) -> str:
    """A problem of a file as a sentence; a code without words here is told in English."""
    known = {
        "too_large": _("A file has at most %(most)s bytes."),
        "encoding": _("The file is not UTF-8 (byte %(byte)s). Save it as CSV UTF-8."),
        "empty": _("The file is empty."),
        "csv": _("The row is no CSV: %(error)s."),
        "column_unknown": _("No such column. Columns that are read: %(known)s."),
        "column_twice": _("The column appears more than once."),
        "column_missing": _("The column is missing."),
        "too_many_rows": _("A file has at most %(most)s rows."),
        "cells": _("The row has more cells than the header (%(most)s)."),
        "control": _("The cell holds control characters."),
        "too_long": _("At most %(most)s characters."),
        "kind": _("Not one of: %(known)s."),
        "phase": _("Not one of: %(known)s."),
        "service": _("The cluster has no service of this name."),
        "needed": _("A value is needed here."),
        "order": _("The end lies before the start."),
        "time": _("No time. Write 2026-12-02, or 2026-12-02T08:30:00Z with Z or an offset such as +08:00."),
        "zone": _("A time needs its zone: Z, or an offset such as +08:00."),
        "time_range": _("Times lie between the years 2000 and 2099."),
        "number": _("No number. Write digits with a point and without thousands separators."),
        "not_here": _("A row of kind %(kind)s leaves this cell empty."),
        "name": _("No number of this name is known."),
        "practice": _("The matrix has no such practice."),
        "whole_cluster": _("This number is about the whole cluster: leave the service empty."),
        "unit": _("%(name)s is in %(unit)s."),
        "negative": _("%(name)s must not be negative."),
        "whole": _("%(name)s is counted: write a whole number."),
        "most": _("%(name)s must be at most %(most)s."),
        "percent": _("A percentage lies between 0 and 100."),
        "repeated": _("Row %(other)s says the same kind, name, service, start and phase."),
    }
    words = known.get(one.code)
    return one.message if words is None else str(words) % dict(one.details)
