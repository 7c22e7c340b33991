"""Numbers of trade-offs in the reader's language: their names, their units, and amounts as text."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.templatetags.ui import number
from llm_remediation.domain.tradeoffs.model import Amount

MOST_DIGITS = 6

# Names of the numbers that rules use (assessments.domain.kpis.numbers).
NUMBERS = {
    "spend_month": gettext_lazy("spending per month"),
    "budget_month": gettext_lazy("budget per month"),
    "accepted_premium": gettext_lazy("accepted resilience premium"),
    "replica_cost_month": gettext_lazy("cost of the planned replicas per month"),
    "cost_with_resilience": gettext_lazy("cost per month with redundancy"),
    "cost_bare": gettext_lazy("cost per month at bare capacity"),
    "slo_miss_minutes_month": gettext_lazy("minutes of SLO miss per month"),
    "slo_miss_avoidable_month": gettext_lazy("minutes of SLO miss the replicas avoid per month"),
    "series_active": gettext_lazy("active series"),
    "series_planned": gettext_lazy("series with the plan"),
    "series_cost_month": gettext_lazy("cost of the active series per month"),
    "releases_counted": gettext_lazy("releases counted (5 or more)"),
    "releases_that_broke_rules": gettext_lazy("releases that broke a rule, dashboard or probe"),
    "drill_verify_s": gettext_lazy("drill: time to verify"),
    "drill_decrypt_s": gettext_lazy("drill: time to decrypt"),
    "drill_authenticate_s": gettext_lazy("drill: time to authenticate"),
    "drill_approve_s": gettext_lazy("drill: time to approve"),
    "drill_total_s": gettext_lazy("drill: total time"),
    "rto_s": gettext_lazy("recovery time objective (RTO)"),
    "slo_good": gettext_lazy("good events of the SLO"),
    "slo_total": gettext_lazy("all events of the SLO"),
    "slo_objective": gettext_lazy("SLO objective"),
    "slo_window_days": gettext_lazy("window of the SLO"),
    "changes_queued": gettext_lazy("changes that wait"),
    "checkpoint_save_s": gettext_lazy("time to save a checkpoint"),
    "checkpoint_interval_s": gettext_lazy("checkpoint interval in use"),
    "checkpoint_restart_s": gettext_lazy("time to restart from a checkpoint"),
    "job_mtbf_h": gettext_lazy("mean time between failures of the job"),
    "spans_with_content": gettext_lazy("spans with prompts or answers"),
    "content_retention_days": gettext_lazy("retention of the content"),
    "ttft_p95_ms": gettext_lazy("p95 of the time to first token"),
    "guard_ttft_p95_ms": gettext_lazy("what the guard adds to the p95 of the time to first token"),
    "guard_usd_per_1k_tokens": gettext_lazy("what the guard adds to the cost of 1,000 tokens"),
    "gpu_usd_per_h": gettext_lazy("GPU cost per hour"),
    "other_usd_per_h": gettext_lazy("other cost per hour"),
    "billable_tokens_per_s": gettext_lazy("billable tokens per second"),
    "engine_activity": gettext_lazy("engine activity"),
    "engine_activity_target": gettext_lazy("target for engine activity"),
    "queue_wait_p95_ms": gettext_lazy("p95 of the wait in the queue"),
    "ttft_target_ms": gettext_lazy("target for the time to first token"),
}

# Names of what rules derive from numbers.
DERIVED = {
    "planned_spend": gettext_lazy("spending per month with the plan"),
    "premium": gettext_lazy("resilience premium"),
    "slo_missed": gettext_lazy("SLO miss today"),
    "slo_avoided": gettext_lazy("SLO miss avoided"),
    "cost_per_avoided_minute": gettext_lazy("price of a minute of SLO miss avoided"),
    "replica_cost": gettext_lazy("cost of the replicas"),
    "redundancy_cost": gettext_lazy("cost of the redundancy"),
    "series_growth": gettext_lazy("growth of the series"),
    "series_added": gettext_lazy("more series"),
    "series_added_cost": gettext_lazy("more cost for series"),
    "releases_broken": gettext_lazy("releases that broke a rule, dashboard or probe"),
    "security_share_of_rto": gettext_lazy("share of the RTO"),
    "security_seconds": gettext_lazy("time for crypto and approval in a recovery"),
    "drill_rest_s": gettext_lazy("drill: everything else"),
    "budget_left": gettext_lazy("error budget left"),
    "budget_days_left": gettext_lazy("error budget lasts, as it was spent so far"),
    "interval_deviation": gettext_lazy("distance of the interval from the optimum"),
    "young_s": gettext_lazy("best interval (Young)"),
    "daly_s": gettext_lazy("best interval (Daly)"),
    "waste": gettext_lazy("GPU-hours without useful work"),
    "save_share": gettext_lazy("GPU-hours spent on saving"),
    "rework_share": gettext_lazy("GPU-hours spent on rework and restarts (expected)"),
    "waste_at_optimum": gettext_lazy("GPU-hours without useful work at the best interval"),
    "isolation_level": gettext_lazy("level of SEC-04"),
    "guard_latency": gettext_lazy("latency that the guard adds"),
    "guard_cost": gettext_lazy("cost that the guard adds"),
    "cost_per_1k_tokens": gettext_lazy("cost of 1,000 tokens"),
    "guard_ttft": gettext_lazy("time the guard adds to the first token (p95)"),
    "guard_usd": gettext_lazy("cost the guard adds to 1,000 tokens"),
    "wait_share_of_ttft": gettext_lazy("share of the wait in the target for the first token"),
    "queue_wait": gettext_lazy("wait in the queue (p95)"),
}

UNITS = {
    "USD/month": gettext_lazy("%(value)s USD/month"),
    "USD/min": gettext_lazy("%(value)s USD/min"),
    "USD/1k tokens": gettext_lazy("%(value)s USD per 1,000 tokens"),
    "min/month": gettext_lazy("%(value)s min/month"),
    "s": gettext_lazy("%(value)s s"),
    "ms": gettext_lazy("%(value)s ms"),
    "h": gettext_lazy("%(value)s h"),
    "d": gettext_lazy("%(value)s d"),
}
BARE = frozenset({"count", "level"})
"""Units whose number stands alone."""


def name(code: str) -> str:
    """What a number or a derived amount is called; a practice stands for its level."""
    if code in NUMBERS or code in DERIVED:
        return str(NUMBERS[code] if code in NUMBERS else DERIVED[code])
    return _("the level of %(practice)s") % {"practice": code}


def amount(one: Amount, digits: int | None = None) -> str:
    """`1,900 USD/month`, `16.3 %`: three significant digits, whole numbers in full."""
    shown = number(one.value, _digits(one.value) if digits is None else digits)
    if one.unit in BARE:
        return shown
    if one.unit == "%":
        return f"{shown}\u202f%"
    return str(UNITS[one.unit]) % {"value": shown}


def apart(one: Amount, other: Amount) -> tuple[str, str]:
    """Two amounts of one unit, with so many digits that they read differently where they differ."""
    digits = max(_digits(one.value), _digits(other.value))
    while digits < MOST_DIGITS and number(one.value, digits) == number(other.value, digits):
        if one.value == other.value:
            break
        digits += 1
    return _trimmed(one, digits), _trimmed(other, digits)


def _trimmed(one: Amount, digits: int) -> str:
    """The amount with at most `digits` decimals, none of them a trailing zero."""
    fewest = next((n for n in range(digits) if round(one.value, n) == round(one.value, digits)), digits)
    return amount(one, fewest)


def _digits(value: float) -> int:
    """Decimals for three significant digits, at most six, without trailing zeros."""
    size = abs(value)
    if size >= 100 or size == 0:
        return 0
    most = next((n for n in range(1, MOST_DIGITS) if size * 10**n >= 100), MOST_DIGITS)
    return next((n for n in range(most) if round(value, n) == round(value, most)), most)
