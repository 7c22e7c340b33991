"""Sentences of the report, made from its data alone, in the active language.

Every function takes parts of `portal.reports.schema` and returns finished text, so that the numbers in the
sentences are the numbers in the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.templatetags.ui import number, percent
from portal.reports.schema import (
    Decision,
    DimensionRow,
    MixRow,
    OverallRow,
    PracticeRow,
    RoadmapPart,
    WaveRow,
    WeakPoint,
)

POINTS = 3
# Claims this far above what evidence shows now are worth a sentence on the executive page.
CLOSE = 0.05


class Verdict(NamedTuple):
    """One sentence, and one that explains it."""

    verdict: str
    detail: str


def score(value: float | None) -> str:
    """A score as every page shows it: two decimals, or a dash."""
    return number(value, 2)


def verdict(cluster: str, overall: OverallRow, dimensions: Sequence[DimensionRow]) -> Verdict:
    """Where the cluster stands, in one sentence; the detail names the weakest dimension and over-claims."""
    if overall["status"] != "ok" or overall["score"] is None:
        return _incomplete(cluster, overall, dimensions)
    text = _("%(cluster)s stands at %(score)s of 5; %(dimension)s holds it back at %(weakest)s.") % {
        "cluster": cluster,
        "score": score(overall["score"]),
        "dimension": _name(dimensions, overall["weakest"]),
        "weakest": score(_score_of(dimensions, overall["weakest"])),
    }
    over = (overall["claimed"] or 0.0) - overall["score"]
    if over < CLOSE:
        return Verdict(text, _("Evidence that is valid today carries what the answers claim."))
    detail = _("The answers claim %(claimed)s; evidence that is valid today carries %(score)s.") % {
        "claimed": score(overall["claimed"]),
        "score": score(overall["score"]),
    }
    return Verdict(text, detail)


def _incomplete(cluster: str, overall: OverallRow, dimensions: Sequence[DimensionRow]) -> Verdict:
    if not overall["applicable"]:
        return Verdict(
            _("%(cluster)s is not rated: no practice applies to it.") % {"cluster": cluster},
            _("Check the profile of the cluster and the answers “not applicable”."),
        )
    text = _("%(cluster)s is not rated yet: %(answered)d of %(applicable)d practices are answered.") % {
        "cluster": cluster,
        "answered": overall["answered"],
        "applicable": overall["applicable"],
    }
    thin = [each["name"] for each in dimensions if each["status"] == "incomplete"]
    if not thin:
        return Verdict(text, _("A score needs at least 70 % of the applicable practices answered."))
    detail = _("A score needs at least 70 %% answered in every dimension; still short: %(names)s.") % {
        "names": _(", ").join(thin)
    }
    return Verdict(text, detail)


def weak_points(
    practices: Sequence[PracticeRow], whys: dict[str, str], weakest: str | None
) -> list[WeakPoint]:
    """The (at most) three answered practices with the lowest current level.

    Of equals, those of the weakest dimension come first, then core practices, then matrix order. `whys`
    holds the matrix's sentence on why a practice matters, else its question.
    """
    answered = [each for each in practices if each["state"] == "answered" and (each["current"] or 0) < 5]
    answered.sort(key=lambda each: (each["current"] or 0, each["dimension"] != weakest, not each["core"]))
    return [
        WeakPoint(id=each["id"], title=each["title"], text=_weak_text(each, whys.get(each["id"], "")))
        for each in answered[:POINTS]
    ]


def _weak_text(practice: PracticeRow, why: str) -> str:
    stands = _("Level %(level)d of 5.") % {"level": practice["current"] or 0}
    if practice["reason"]:
        stands = _("Level %(level)d of 5, claimed %(claimed)d: %(reason)s.") % {
            "level": practice["current"] or 0,
            "claimed": practice["claimed"] or 0,
            "reason": practice["reason"],
        }
    return _join(stands, why)


def decisions(roadmap: RoadmapPart | None) -> list[Decision]:
    """What is asked: to fund each of the first three waves, with price and gain. Empty without a roadmap."""
    if roadmap is None:
        return []
    return [_decision(wave, roadmap["currency"]) for wave in roadmap["waves"] if wave["items"]][:POINTS]


def _decision(wave: WaveRow, currency: str) -> Decision:
    steps = len(wave["items"])
    first = sorted(wave["items"], key=lambda each: -each["gain"])[:POINTS]
    names = _(", ").join(f"{each['practice']}\u00a0→\u00a0{each['to_level']}" for each in first)
    more = steps - len(first)
    text = _("Above all %(names)s.") % {"names": names} if more else _("%(names)s.") % {"names": names}
    title = ngettext(
        "Fund wave “%(wave)s”: %(count)d step", "Fund wave “%(wave)s”: %(count)d steps", steps
    ) % {"wave": wave["name"], "count": steps}
    return Decision(
        title=title,
        text=text,
        days=wave["days"],
        gpu_hours=wave["gpu_hours"],
        money=wave["money"],
        currency=currency,
        gain=wave["gain"],
    )


def confidence(overall: OverallRow, practices: Sequence[PracticeRow], mix: Sequence[MixRow]) -> list[str]:
    """How far the numbers can be trusted: answered, evidence, over-claims, interval, not applicable."""
    found = [_answered(overall), _evidence(mix)]
    backed = sum(1 for each in practices if each["state"] == "answered" and _has_valid(each))
    answered = sum(1 for each in practices if each["state"] == "answered")
    if answered:
        found.append(
            _("%(backed)d of %(answered)d answered practices have valid evidence.")
            % {"backed": backed, "answered": answered}
        )
    over = sum(1 for each in practices if (each["claimed"] or 0) > (each["current"] or 0))
    if over:
        found.append(
            ngettext(
                "%(count)d practice is claimed higher than evidence carries today.",
                "%(count)d practices are claimed higher than evidence carries today.",
                over,
            )
            % {"count": over}
        )
    if overall["interval"] is None:
        found.append(_("One respondent answered each practice, so the scores carry no interval."))
    if overall["na_warning"]:
        found.append(_("More than 15 % of the practices are marked as not applicable."))
    return found


def _answered(overall: OverallRow) -> str:
    return _("%(answered)d of %(applicable)d applicable practices are answered (%(share)s).") % {
        "answered": overall["answered"],
        "applicable": overall["applicable"],
        "share": percent(overall["completeness"]),
    }


def _evidence(mix: Sequence[MixRow]) -> str:
    total = sum(each["count"] for each in mix)
    if not total:
        return _("There is no valid evidence: every score stands at level 1 at most.")
    runs = sum(each["count"] for each in mix if each["kind"] in {"E4", "E5"})
    return _(
        "%(total)d pieces of valid evidence: %(verified)d verified, %(runs)d from experiments or automation."
    ) % {
        "total": total,
        "verified": sum(each["verified"] for each in mix),
        "runs": runs,
    }


def _has_valid(practice: PracticeRow) -> bool:
    return any(each["state"] == "valid" for each in practice["evidence"])


def difference(a: str, b: str, value: float | None, *, p: float | None, clear: bool, shared: int) -> str:
    """A difference a - b in words; never a rank, and a test result only where there is one (`p`)."""
    if value is None:
        return _("Not rated on one side.")
    if abs(value) < 0.005:
        return _("No difference.")
    higher, lower = (a, b) if value > 0 else (b, a)
    found = {"higher": higher, "lower": lower, "value": number(abs(value), 2), "shared": shared}
    if p is None:
        text = _("%(higher)s is higher than %(lower)s by %(value)s; too few shared practices (%(shared)d).")
    elif clear:
        text = _("%(higher)s is higher than %(lower)s by %(value)s; the levels are distributed differently.")
    else:
        text = _(
            "%(higher)s is higher than %(lower)s by %(value)s: no clear difference (%(shared)d practices)."
        )
    return text % found


def _name(dimensions: Sequence[DimensionRow], code: str | None) -> str:
    return next((each["name"] for each in dimensions if each["code"] == code), code or "")


def _score_of(dimensions: Sequence[DimensionRow], code: str | None) -> float | None:
    return next((each["score"] for each in dimensions if each["code"] == code), None)


def _join(first: str, second: str) -> str:
    """Two sentences one after the other, with a space only where the language writes one."""
    if not second:
        return first
    return _("%(first)s %(second)s") % {"first": first, "second": second}
