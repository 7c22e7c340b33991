"""What cards of trade-offs draw: the time of a recovery by phase (T3) and the wait against activity (T8)."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from frontend.plots import curve, stack
from frontend.plots.curve import CurveChart, Limit
from frontend.plots.stack import Part, Stack
from llm_remediation import tradeoff_words
from llm_remediation.domain.tradeoffs import t3, t8
from llm_remediation.domain.tradeoffs.model import Amount, Finding
from llm_remediation.domain.tradeoffs.waiting import wait_curve
from llm_remediation.tradeoff_number_words import amount, name

# From where to where the curve is drawn, in percent; the table has fewer points.
DRAWN = range(1, 100)
X_HIGH = 100.0
ROOM_ABOVE = 2.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn chart with the same numbers as a table."""

    svg: SafeString
    label: str
    caption: str
    columns: list[str]
    rows: list[tuple[str, list[str]]]


def figure(finding: Finding, key: str) -> Figure | None:
    """The chart of a finding, None where its rule has none or numbers lack; `key` starts its ids."""
    drawn = {t3.RULE.id: _recovery, t8.RULE.id: _wait}.get(finding.rule)
    return drawn(finding, key) if drawn else None


def _recovery(finding: Finding, key: str) -> Figure | None:
    phases = [each for each in finding.measures if each.code in t3.PHASES]
    rest = [each for each in finding.measures if each.code == t3.REST.code]
    rto = finding.measure("rto_s")
    if len(phases) < len(t3.PHASES) or not rto:
        return None
    parts = [*phases, *rest]
    most = Amount("", rto * t3.MOST_SHARE_PERCENT / 100, "s")
    limits = (
        (most.value, _("threshold for the security steps: %(value)s") % {"value": amount(most)}),
        (rto, _named("rto_s", amount(Amount("", rto, "s")))),
    )
    title = _("Time of the last recovery drill by phase")
    drawn = stack.for_any_width(
        Stack(
            id=f"{key}-figure",
            title=title,
            description=tradeoff_words.sentence(finding),
            axis=_("seconds"),
            parts=tuple(
                Part(_named(each.code, amount(each)), each.value, rest=each in rest) for each in parts
            ),
            limits=limits,
        )
    )
    rows = [(name(each.code), [amount(each)]) for each in (*parts, Amount("rto_s", rto, "s"))]
    return Figure(_safe(drawn), title, "", [_("Phase"), _("Time")], rows)


def _wait(finding: Finding, key: str) -> Figure | None:
    activity, target = finding.measure("engine_activity"), finding.measure("engine_activity_target")
    wait = next((each for each in finding.price if each.code == "queue_wait"), None)
    ttft = finding.measure("ttft_target_ms")
    if activity is None or wait is None or not ttft:
        return None
    points = wait_curve(activity, wait.value, DRAWN)
    if not points:
        return None
    most = Amount("", ttft * t8.MOST_WAIT_PERCENT / 100, "ms")
    here = {"activity": _percent(activity), "wait": amount(wait)}
    limits = [
        Limit("y", most.value, _("threshold for the wait: %(value)s") % {"value": amount(most)}),
    ]
    if target is not None and target <= X_HIGH:
        limits.append(Limit("x", target, _named("engine_activity_target", _percent(target))))
    title = _("Wait in the queue against engine activity")
    drawn = curve.for_any_width(
        CurveChart(
            id=f"{key}-figure",
            title=title,
            description=tradeoff_words.sentence(finding),
            x_axis=_("engine activity (%)"),
            y_axis=_("wait in the queue, p95 (ms)"),
            points=tuple((each.activity_percent, each.wait_ms) for each in points),
            marked=(activity, wait.value),
            marked_label=_("measured: %(activity)s, %(wait)s") % here,
            limits=tuple(limits),
            x_high=X_HIGH,
            y_high=ROOM_ABOVE * max(most.value, wait.value),
        )
    )
    rows = [
        (_percent(each.activity_percent), [amount(Amount("", each.wait_ms, "ms"))])
        for each in wait_curve(activity, wait.value)
    ]
    rows.append((_("measured: %(activity)s") % here, [here["wait"]]))
    caption = _("A model through the one measured point: the wait grows as u / (1 − u) with the activity u.")
    return Figure(_safe(drawn), title, caption, [_("Engine activity"), _("Wait in the queue (p95)")], rows)


def _percent(value: float) -> str:
    return amount(Amount("", value, "%"))


def _named(code: str, value: str) -> str:
    return _("%(name)s: %(value)s") % {"name": name(code), "value": value}


def _safe(drawn: str) -> SafeString:
    return mark_safe(drawn)  # noqa: S308 - our own SVG, escaped by its writer
