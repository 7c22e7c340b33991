"""Everything the planner says in codes, in the reader's language: reasons, refusals, waves, resources.

Pages, CSV, API and report take their words from here, so that all say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from frontend.templatetags.ui import dimension_name, number
from llm_remediation.domain.model import ClosingMethod, ClosingTest, Reason
from llm_remediation.domain.waves import wave_key

WAVES = {
    "now": pgettext_lazy("wave", "Now"),
    "next": pgettext_lazy("wave", "Next"),
    "later": pgettext_lazy("wave", "Later"),
}
RADII = {
    "none": pgettext_lazy("blast radius", "None"),
    "low": pgettext_lazy("blast radius", "Low"),
    "medium": pgettext_lazy("blast radius", "Medium"),
    "high": pgettext_lazy("blast radius", "High"),
}
ESTIMATES = {
    "organisation": gettext_lazy("your own estimate"),
    "matrix": gettext_lazy("estimate of the matrix"),
    "default": gettext_lazy("default estimate of the level"),
}
WORK = {
    "build": gettext_lazy("clauses are missing"),
    "prove": gettext_lazy("claimed already: only valid evidence is missing"),
}

# Below half of the last printed digit.
SAME_GAIN = 0.0005

Words = Callable[[Mapping[str, Any], str], str]


def wave(index: int) -> str:
    """The name of a wave by its place from 0."""
    key = wave_key(index)
    return str(WAVES[key]) if key in WAVES else _("Wave %(number)d") % {"number": index + 1}


def radius(code: str | None) -> str:
    """A blast radius in words."""
    return str(RADII[code]) if code else _("no limit")


def amount(resource: str, value: float, currency: str) -> str:
    """`12 d`, `64 GPU-h`, `8,200 USD`: a quantity with its unit."""
    if resource == "days":
        return _("%(amount)s d") % {"amount": plain(value)}
    if resource == "gpu_hours":
        return _("%(amount)s GPU-h") % {"amount": plain(value)}
    return f"{number(value, 0 if abs(value - round(value)) < 0.005 else 2)}\u202f{currency}"


def plain(value: float) -> str:
    """A quantity with as few decimals as it needs, at most two."""
    digits = next((n for n in (0, 1) if abs(value - round(value, n)) < 0.005), 2)
    return number(value, digits)


def typed(value: float | None) -> str:
    """A number as somebody would type it, for a field; None is empty."""
    return "" if value is None else f"{value:.12g}"


def estimates(cost: float | None, minutes: float | None, currency: str) -> str:
    """What the organisation expects of a step, in one line; empty where it expects nothing."""
    parts = []
    if cost is not None:
        parts.append(_("running cost %(money)s a month") % {"money": amount("money", cost, currency)})
    if minutes is not None:
        parts.append(_("saves %(minutes)s SLO minutes a month") % {"minutes": plain(minutes)})
    return " · ".join(parts)


def step(candidate_id: str) -> str:
    """`REL-04 → 3` for the candidate `REL-04.L3`."""
    practice, _dot, level = candidate_id.partition(".L")
    return f"{practice} → {level}" if level else practice


def steps(ids: Iterable[str]) -> str:
    """Several steps in one line."""
    return _(", ").join(step(each) for each in ids)


# -- why a step is in or out ------------------------------------------------------------------------------


def _gain(values: Mapping[str, Any], currency: str) -> str:
    text = _("raises the score by %(gain)s") % {"gain": number(values["gain"], 3)}
    return text + (_(", in the weakest dimension") if values["weakest"] else "")


def _assumes(values: Mapping[str, Any], currency: str) -> str:
    return _("%(practice)s at level %(level)d is outside the scope and taken as met") % dict(values)


def _prerequisite(values: Mapping[str, Any], currency: str) -> str:
    return _("above its own target, because it is needed by %(steps)s") % {
        "steps": steps(values["needed_by"])
    }


def _unlocks(values: Mapping[str, Any], currency: str) -> str:
    return _("needed by %(steps)s") % {"steps": steps(values["candidates"])}


def _unanswered(values: Mapping[str, Any], currency: str) -> str:
    text = _("needs %(practice)s at level %(level)d, which nobody has answered yet: answer it first")
    return text % dict(values)


def _exceeds(values: Mapping[str, Any], currency: str) -> str:
    return _("needs %(needed)s, the largest wave has %(largest)s") % {
        "needed": amount(values["resource"], values["needed"], currency),
        "largest": amount(values["resource"], values["largest"], currency),
    }


def _lacking(waves: Iterable[Mapping[str, Any]], currency: str) -> str:
    """`needs 8 d, left: Now 2 d, Next 0 d` for the entries of `fits_no_wave` and `outbid`."""
    by_resource: dict[str, list[Mapping[str, Any]]] = {}
    for entry in waves:
        by_resource.setdefault(entry["resource"], []).append(entry)
    return _("; ").join(_short_of(*each, currency) for each in by_resource.items())


def _short_of(resource: str, entries: list[Mapping[str, Any]], currency: str) -> str:
    first = entries[0]
    if resource == "blast_radius":
        places = [f"{wave(each['wave'])} “{radius(each['cap'])}”" for each in entries]
        text = _("blast radius “%(radius)s”, at most: %(places)s")
        return text % {"radius": radius(first["radius"]), "places": _(", ").join(places)}
    key = "left" if "left" in first else "budget"
    places = [f"{wave(each['wave'])} {amount(resource, each[key], currency)}" for each in entries]
    values = {"needed": amount(resource, first["needed"], currency), "places": _(", ").join(places)}
    if key == "left":
        return _("needs %(needed)s, left: %(places)s") % values
    return _("needs %(needed)s, available: %(places)s") % values


def _fits_no_wave(values: Mapping[str, Any], currency: str) -> str:
    lacking = {"lacking": _lacking(values["waves"], currency)}
    if values.get("from_wave"):
        text = _("what it waits for leaves only %(wave)s and later, and none of them fits: %(lacking)s")
        return text % {"wave": wave(values["from_wave"]), **lacking}
    return _("fits no wave: %(lacking)s") % lacking


def _capped(values: Mapping[str, Any], currency: str) -> str:
    return _("its blast radius is “%(radius)s”, the waves allow at most “%(cap)s”") % {
        "radius": radius(values["radius"]),
        "cap": radius(values["cap"]),
    }


def _too_few_waves(values: Mapping[str, Any], currency: str) -> str:
    text = _("what it waits for leaves no wave: it could start in wave %(waves_needed)d, there are %(waves)d")
    return text % dict(values)


def _bundle(values: Mapping[str, Any], currency: str) -> str:
    text = _("with what it needs (%(steps)s) it does not fit") % {"steps": steps(values["candidates"])}
    totals = [
        _("together %(needed)s, all waves have %(all_waves)s")
        % {
            "needed": amount(each["resource"], each["needed"], currency),
            "all_waves": amount(each["resource"], each["all_waves"], currency),
        }
        for each in values["totals"]
    ]
    return text + (_(": %(totals)s") % {"totals": _("; ").join(totals)} if totals else "")


def _prerequisite_out(values: Mapping[str, Any], currency: str) -> str:
    which = {"steps": steps(values["candidates"])}
    if not values["possible"]:
        return _("waits for what cannot be planned: %(steps)s") % which
    return _("waits for what is left out: %(steps)s") % which


def _only_as_prerequisite(values: Mapping[str, Any], currency: str) -> str:
    text = _("above its own target, and nothing that needs it is in the plan (%(steps)s)")
    return text % {"steps": steps(values["needed_by"])}


def _no_gain(values: Mapping[str, Any], currency: str) -> str:
    return _("does not change the score")


def _outbid(values: Mapping[str, Any], currency: str) -> str:
    text = _("no room beside steps that gain more: %(lacking)s")
    return text % {"lacking": _lacking(values["waves"], currency)}


def _waits_too_long(values: Mapping[str, Any], currency: str) -> str:
    text = _("what it needs ends in %(wave)s, too late to start it in this plan")
    return text % {"wave": wave(values["wave"])}


def _no_time(values: Mapping[str, Any], currency: str) -> str:
    return _("the time limit ended before it could be decided")


REASONS: dict[str, Words] = {
    "gain": _gain,
    "assumes": _assumes,
    "prerequisite": _prerequisite,
    "unlocks": _unlocks,
    "prerequisite_unanswered": _unanswered,
    "exceeds_largest_wave": _exceeds,
    "fits_no_wave": _fits_no_wave,
    "blast_radius_capped": _capped,
    "too_few_waves": _too_few_waves,
    "cannot_fit_with_prerequisites": _bundle,
    "prerequisite_left_out": _prerequisite_out,
    "only_as_prerequisite": _only_as_prerequisite,
    "no_gain": _no_gain,
    "outbid": _outbid,
    "waits_too_long": _waits_too_long,
    "found_no_time": _no_time,
}


def reason(one: Reason, currency: str) -> str:
    """Why a step is in or out, as part of a sentence in the active language."""
    return REASONS[one.code](one.parameters, currency)


def sentence(reasons: Iterable[Reason], currency: str) -> str:
    """All reasons of a step as one sentence."""
    text = _("; ").join(reason(each, currency) for each in reasons)
    return full_stop(text[:1].upper() + text[1:])


def full_stop(sentence: str) -> str:
    """The sentence with the full stop of the language."""
    return _("%(sentence)s.") % {"sentence": sentence}


def price(reasons: Iterable[Reason]) -> str:
    """What a plan with the step would lose, where there was time to compute it; else empty."""
    for each in reasons:
        values = each.parameters
        if "loss" not in values:
            continue
        loss = cast(float, values["loss"])
        if loss < SAME_GAIN:
            return _("A plan with it is as good, but costs no less.")
        named = {"loss": number(loss, 3), "steps": steps(cast(list[str], values["displaces"]))}
        if values["displaces"]:
            return _("A plan with it would lose %(loss)s of weighted gain and drop %(steps)s.") % named
        return _("A plan with it would lose %(loss)s of weighted gain.") % named
    return ""


# -- what closes a step -----------------------------------------------------------------------------------


def closing_test(test: ClosingTest | None) -> str:
    """What will close a step."""
    if test is None:
        return "—"
    clauses = _(", ").join(each.partition(".")[2] for each in test.clauses)
    if test.method is ClosingMethod.FAULT:
        text = _("a run of fault %(faults)s") % {"faults": _(", ").join(test.faults)}
    elif test.method is ClosingMethod.DRILL:
        language = get_language() or "en"
        text = _("a drill: %(drills)s") % {
            "drills": _("; ").join(each.in_language(language) for each in test.drills)
        }
    else:
        text = _("%(kind)s evidence that a reviewer confirms") % {"kind": test.evidence.value}
    return text + (_(" (clauses %(clauses)s)") % {"clauses": clauses} if clauses else "")


def may_cost(codes: Iterable[str]) -> str:
    """Dimensions that a step may harm."""
    return _(", ").join(f"{code} {dimension_name(code)}" for code in codes)


# -- refusals of the planner ------------------------------------------------------------------------------

REFUSALS = {
    "not_a_number": gettext_lazy("This must be a number."),
    "negative": gettext_lazy("This must not be negative."),
    "too_large": gettext_lazy("This number is too large."),
    "number_of_waves": gettext_lazy("A roadmap has 1 to 12 waves."),
    "level_out_of_range": gettext_lazy("A target is a level from 0 to 5."),
    "unknown_practice": gettext_lazy("The matrix has no such practice."),
    "estimate_order": gettext_lazy("Estimates must rise: low, likely, high."),
}


def refusal(code: str, message: str) -> str:
    """A refusal of the planner in the reader's language; a code no page can cause keeps its message."""
    return str(REFUSALS.get(code, message))


def unanswered(count: int) -> str:
    """How many practices have no level and so no place in the plan."""
    return ngettext(
        "%(count)d practice without an answer could not be planned.",
        "%(count)d practices without an answer could not be planned.",
        count,
    ) % {"count": count}


def gain(value: float) -> str:
    """A change of the score with three decimals and its sign: steps are often smaller than 0.01."""
    return number(value, 3, signed=True)
