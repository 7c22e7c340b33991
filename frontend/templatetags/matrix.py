"""Template words about the matrix, answers and evidence. Takes values, knows no app."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

register = template.Library()

NA_REASONS = {
    "not_in_profile": gettext_lazy("Not in the profile of this cluster"),
    "out_of_scope": gettext_lazy("Out of scope"),
    "delegated_to_provider": gettext_lazy("Delegated to a provider"),
    "architecture_excludes": gettext_lazy("The architecture rules it out"),
    "other": gettext_lazy("Another reason"),
}
# How sure a respondent is, 1 to 5 (assessments.domain.answers.Confidence).
CONFIDENCE = {
    1: gettext_lazy("A guess"),
    2: gettext_lazy("Somebody said so"),
    3: gettext_lazy("Known from own work"),
    4: gettext_lazy("Looked up for this answer"),
    5: gettext_lazy("Shown by attached evidence"),
}

KINDS = {"serve": gettext_lazy("Serving"), "train": gettext_lazy("Training")}

REASONS = {
    "claimed": gettext_lazy("Evidence carries the whole claim"),
    "no_evidence": gettext_lazy("No evidence: carries to level 1"),
    "not_verified": gettext_lazy("Evidence is not verified yet: carries to level 2"),
    "na": gettext_lazy("Not applicable"),
    "unsure": gettext_lazy("Don't know"),
    "unanswered": gettext_lazy("Not answered"),
}

# One entry per code of assessments.domain.xray (a test compares).
WARNINGS = {
    "needs_unmet": gettext_lazy("Unlikely: needs %(other)s at level %(level)s"),
    "needs_unanswered": gettext_lazy("Needs %(other)s at level %(level)s, which is not answered"),
    "no_run": gettext_lazy("Claims level %(level)s without evidence of an experiment"),
    "no_automation": gettext_lazy("Claims level 5 without evidence of automation"),
    "low_confidence": gettext_lazy("Claims level %(level)s on a guess or hearsay"),
    "confidence_unbacked": gettext_lazy("Said to be shown by evidence, but none is attached"),
    "gap_in_ticks": gettext_lazy("%(other)s is ticked, but level %(level)s has a gap: it does not count"),
    "evidence_unticked": gettext_lazy("Evidence is attached to %(other)s, which is not ticked"),
    "twin_differs": gettext_lazy("%(other)s shows the same evidence and claims level %(level)s"),
    "kpi_misses": gettext_lazy("The measured KPI misses the target of level %(level)s"),
    "kpi_impossible": gettext_lazy("The measured KPI, %(other)s, is out of its possible range"),
    "future_evidence": gettext_lazy("Evidence dated in the future is ignored"),
    "na_share": gettext_lazy("Too many practices are marked as not applicable"),
    "hidden_by_profile": gettext_lazy("Answered although the profile hides it"),
    "outside_scope": gettext_lazy("Answered although the scope does not ask it"),
}


@register.filter
def in_language(text: Any, language: str) -> str:
    """A bilingual text in the active language."""
    return str(text.in_language(language)) if text is not None else ""


@register.filter
def kind_names(kinds: Any) -> list[str]:
    """What a practice applies to, in words, always in the same order."""
    return [str(name) for code, name in KINDS.items() if code in kinds]


@register.simple_tag
def na_reason(code: str) -> str:
    """A reason for "not applicable" in words."""
    return str(NA_REASONS.get(code, code))


@register.simple_tag
def confidence_words(level: int | None) -> str:
    """How sure somebody is, in words; an empty text where nobody said."""
    return str(CONFIDENCE.get(level or 0, ""))


@register.simple_tag
def score_reason(code: str) -> str:
    """Why the current level is what it is, in words; unknown codes as they are."""
    if code.startswith("expired_"):
        return _("%(kind)s evidence has expired") % {"kind": code.removeprefix("expired_")}
    if code.startswith("ceiling_"):
        return _("Best evidence is %(kind)s") % {"kind": code.removeprefix("ceiling_")}
    return str(REASONS.get(code, code))


@register.simple_tag
def warning_words(warning: Any) -> str:
    """An X-ray warning in words; codes without a translation read their own message."""
    words = WARNINGS.get(warning.code)
    if words is None:
        return str(warning.message)
    return str(words) % {"other": warning.other, "level": warning.level}


def _amount(one: Any) -> str:
    """`≥ 85 %`, `90–110 %`, or that it is measured at all."""
    if one.op == "measured":
        return _("measured")
    if one.op == "between":
        return f"{one.low:g}–{one.high:g} {one.unit}"
    sign = {">=": "≥", "<=": "≤", "==": "="}[one.op]
    return f"{sign} {one.value:g} {one.unit}"


@register.simple_tag
def kpi_condition(condition: Any) -> str:
    """A second condition of a target, without its name."""
    return _amount(condition)


@register.simple_tag
def kpi_target(target: Any) -> str:
    """A KPI target in one line: amount, share of runs or days, window."""
    words = [_amount(target)]
    if target.share is not None and target.share >= 100:
        words.append(_("in every case"))
    elif target.share is not None:
        words.append(_("in ≥ %(share)s %% of the cases") % {"share": f"{target.share:g}"})
    if target.window_days is not None:
        words.append(_("over %(days)s d") % {"days": target.window_days})
    if target.window_seconds is not None:
        words.append(_("over %(seconds)s s") % {"seconds": target.window_seconds})
    return " · ".join(words)


@register.simple_tag
def response_words(response: Any) -> str:
    """A stored answer in words."""
    if response.cleared:
        return _("Taken back")
    if response.na_reason:
        return _("Not applicable: %(reason)s") % {"reason": na_reason(response.na_reason)}
    if response.unsure:
        return _("Don't know")
    if response.clauses is not None:
        count = len(response.clauses)
        return ngettext("%(count)d clause", "%(count)d clauses", count) % {"count": count}
    return _("Level %(level)s") % {"level": response.level}


@register.simple_tag
def sheet_words(answer: Any) -> str:
    """An answer of a filled-in sheet in words."""
    if answer.na_reason:
        return _("Not applicable: %(reason)s") % {"reason": na_reason(answer.na_reason)}
    if answer.unsure:
        return _("Don't know")
    if answer.clauses is not None:
        count = len(answer.clauses)
        return ngettext("%(count)d clause", "%(count)d clauses", count) % {"count": count}
    return _("Level %(level)s") % {"level": answer.level}


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """mapping[key], or None."""
    return mapping.get(key)
