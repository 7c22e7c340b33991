"""What the codes of KPI domain code say, in the language of the request."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from assessments import number_words
from assessments.domain.kpis.csv_reading import Problem
from assessments.domain.kpis.measured import Measured
from assessments.domain.kpis.practice_values import Why
from frontend.templatetags.ui import moment_text

# Why a headline KPI has no value.
REASONS = {
    "no_data": gettext_lazy("Its numbers are not known."),
    "no_tokens": gettext_lazy("No tokens were served."),
    "too_few_breaches": gettext_lazy("Fewer than 3 breaches: only a lower bound is known."),
    "still_open": gettext_lazy("The median falls on an incident that is still open."),
    "load_too_flat": gettext_lazy("Load changed by less than a tenth."),
    "windows_differ": gettext_lazy("Its numbers are about different windows."),
    "contradictory": gettext_lazy("Its numbers cannot all be true."),
}

STATES = {
    "met": gettext_lazy("met"),
    "missed": gettext_lazy("missed"),
    "unknown": gettext_lazy("not known"),
}

PHASES = {
    "steady": gettext_lazy("normal operation"),
    "fault": gettext_lazy("fault windows"),
}

KINDS = {
    "number": gettext_lazy("Number"),
    "kpi": gettext_lazy("KPI"),
    "breach": gettext_lazy("Breach"),
    "incident": gettext_lazy("Incident"),
}

# How far the values are from a target; of a value of the whole cluster WHOLE says it.
WHYS = {
    "met": gettext_lazy("Services that reach the target: %(reached)s of %(total)s."),
    "missed": gettext_lazy("Too few services reach the target: %(reached)s of %(total)s."),
    "no_kpi": gettext_lazy("The practice has no KPI with such a target."),
    "no_services": gettext_lazy("No service in scope is of the kind of this practice."),
    "no_values": gettext_lazy("No value for this target is known."),
    "stale": gettext_lazy("Values are too old; services with one that counts: %(covered)s of %(total)s."),
    "window_short": gettext_lazy(
        "Windows are too short; services with a value that counts: %(covered)s of %(total)s."
    ),
    "coverage": gettext_lazy("Values are missing; services that have one: %(covered)s of %(total)s."),
    "presence": gettext_lazy(
        "Samples are missing; services whose value reaches the target and holds at least 95\u202f%% of its "
        "samples: %(covered)s of %(total)s."
    ),
}
WHOLE = {
    "met": gettext_lazy("The value of the cluster reaches the target."),
    "missed": gettext_lazy("The value of the cluster misses the target."),
    "stale": gettext_lazy("The value of the cluster is too old."),
    "window_short": gettext_lazy("The window of the value of the cluster is too short."),
    "coverage": gettext_lazy("The value of the cluster is missing."),
    "presence": gettext_lazy(
        "The value of the cluster is not said to hold at least 95\u202f%% of its samples."
    ),
}


def measured(one: Measured) -> str:
    """`91.4 h`, `at least 310 h`, or a dash where nothing is known."""
    if one.value is not None:
        return number_words.quantity(one.value, one.unit)
    if one.low is not None:
        return _("at least %(value)s") % {"value": number_words.quantity(one.low, one.unit)}
    return "—"


def interval(one: Measured) -> str:
    """The 95 % interval of a value, or an empty text where there is none."""
    if one.value is None or one.low is None or one.high is None:
        return ""
    digits = max(number_words.decimals(each) for each in (one.low, one.high))
    low, high = (number_words.quantity(each, "", digits) for each in (one.low, one.high))
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def counted(one: Measured) -> str:
    """What n counts: breaches, incidents, events; an empty text where nothing was counted."""
    words = {
        "mtbf": ngettext("%(count)s breach", "%(count)s breaches", one.count),
        "mttr": ngettext("%(count)s incident", "%(count)s incidents", one.count),
        "golden_signal_coverage": ngettext("%(count)s service", "%(count)s services", one.count),
        "objective_attainment": ngettext("%(count)s exercise", "%(count)s exercises", one.count),
        "change_fail_rate": ngettext("%(count)s change", "%(count)s changes", one.count),
        "integrity_detection": ngettext("%(count)s run", "%(count)s runs", one.count),
        "false_alarms": ngettext("%(count)s null fault", "%(count)s null faults", one.count),
        "attack_success": ngettext("%(count)s attack", "%(count)s attacks", one.count),
        "error_budget_left": ngettext("%(count)s event", "%(count)s events", one.count),
        "cost_per_1k_tokens": ngettext("%(count)s token/h", "%(count)s tokens/h", one.count),
    }
    found = words.get(one.kpi, "") if one.count or one.low is not None else ""
    return found % {"count": number_words.quantity(one.count, "count")} if found else ""


def window(start: datetime | None, end: datetime | None, *, exact: bool = False) -> str:
    """`2026-11-01 – 2026-12-01`: UTC days from two days on (`exact`: only where both ends are midnight)."""
    if start is None or end is None:
        return ""
    both = [each.astimezone(UTC) for each in (start, end)]
    whole_days = all(each.time() == time(0) for each in both)
    if whole_days or (not exact and end - start >= timedelta(days=2)):
        first, last = (each.date().isoformat() for each in both)
    else:
        first, last = moment_text(start), moment_text(end)
    return first if first == last else f"{first} – {last}"


def suggestion(one: Why, *, whole: bool = False) -> str:
    """What the suggestion of level 3 rests on or what it lacks, as a sentence."""
    if one.code == "no_values":
        return _("Level 3 asks for a value of normal operation.")
    return why(one, whole=whole)


def why(one: Why, *, whole: bool = False) -> str:
    """What a target rests on, as a sentence; `whole` for a value of the whole cluster."""
    if one.code == "conditions":
        return _condition(one)
    if one.code == "impossible":
        value = number_words.quantity(one.params["value"], str(one.params["unit"]))
        return _("The value %(value)s cannot be.") % {"value": value}
    words = (WHOLE if whole else {}).get(one.code) or WHYS.get(one.code)
    return one.code if words is None else str(words) % dict(one.params)


def _condition(one: Why) -> str:
    if "count" in one.params:
        return _("The target has conditions beside the value, which only runs can show.")
    words = {
        "missed": _("Condition %(number)s beside the value is missed."),
        "no_values": _("Condition %(number)s beside the value is not measured."),
    }.get(str(one.params.get("why")), _("Condition %(number)s beside the value is not shown."))
    return words % {"number": one.params["number"]}


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
