"""Numbers of trade-offs in the reader's language: their names, their units, and amounts as text."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from assessments.number_words import BARE as BARE
from assessments.number_words import MOST_DIGITS, NUMBERS, decimals, quantity
from assessments.number_words import UNITS as UNITS
from frontend.templatetags.ui import number
from llm_remediation.domain.tradeoffs.model import Amount

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


def name(code: str) -> str:
    """What a number or a derived amount is called; a practice stands for its level."""
    if code in NUMBERS or code in DERIVED:
        return str(NUMBERS[code] if code in NUMBERS else DERIVED[code])
    return _("the level of %(practice)s") % {"practice": code}


def amount(one: Amount, digits: int | None = None) -> str:
    """`1,900 USD/month`, `16.3 %`: three significant digits, whole numbers in full."""
    return quantity(one.value, one.unit, digits)


def apart(one: Amount, other: Amount) -> tuple[str, str]:
    """Two amounts of one unit, with so many digits that they read differently where they differ."""
    digits = max(decimals(one.value), decimals(other.value))
    while digits < MOST_DIGITS and number(one.value, digits) == number(other.value, digits):
        if one.value == other.value:
            break
        digits += 1
    return _trimmed(one, digits), _trimmed(other, digits)


def _trimmed(one: Amount, digits: int) -> str:
    """The amount with at most `digits` decimals, none of them a trailing zero."""
    fewest = next((n for n in range(digits) if round(one.value, n) == round(one.value, digits)), digits)
    return amount(one, fewest)
