"""Numbers of a cluster in the reader's language: their names, what they feed, quantities with their unit."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from frontend.templatetags.ui import number

MOST_DIGITS = 6

# One name per number of assessments.domain.kpis.numbers, in its order (a test compares).
NUMBERS = {
    "observed_h": gettext_lazy("hours observed"),
    "slo_good": gettext_lazy("good events of the SLO"),
    "slo_total": gettext_lazy("all events of the SLO"),
    "slo_objective": gettext_lazy("SLO objective"),
    "slo_window_days": gettext_lazy("window of the SLO"),
    "services_in_scope": gettext_lazy("services in scope"),
    "services_scaled_to_zero": gettext_lazy("services scaled to zero"),
    "fresh_http": gettext_lazy("services with fresh HTTP metrics"),
    "fresh_slo": gettext_lazy("services with a fresh SLO signal"),
    "fresh_log": gettext_lazy("services with fresh logs"),
    "fresh_metric": gettext_lazy("services with fresh engine metrics"),
    "fresh_trace": gettext_lazy("services with fresh traces"),
    "exercises": gettext_lazy("recovery exercises"),
    "exercises_inside": gettext_lazy("exercises inside RTO and RPO"),
    "without_objective": gettext_lazy("services without RTO or RPO"),
    "changes": gettext_lazy("changes"),
    "changes_failed": gettext_lazy("changes rolled back or fixed after full rollout"),
    "integrity_runs": gettext_lazy("valid integrity runs"),
    "integrity_detected": gettext_lazy("integrity runs with an alarm within 120 s"),
    "null_faults": gettext_lazy("null faults"),
    "false_alarms": gettext_lazy("null faults with an alarm"),
    "attacks_replayed": gettext_lazy("attacks replayed"),
    "attacks_successful": gettext_lazy("attacks that reached their goal"),
    "gpu_usd_per_h": gettext_lazy("GPU cost per hour"),
    "other_usd_per_h": gettext_lazy("other cost per hour"),
    "billable_tokens_per_s": gettext_lazy("billable tokens per second"),
    "step_cost_before": gettext_lazy("cost per hour before the step of load"),
    "step_cost_after": gettext_lazy("cost per hour after the step of load"),
    "step_tokens_before": gettext_lazy("tokens per second before the step of load"),
    "step_tokens_after": gettext_lazy("tokens per second after the step of load"),
    "cost_with_resilience": gettext_lazy("cost per month with redundancy"),
    "cost_bare": gettext_lazy("cost per month at bare capacity"),
    "spend_month": gettext_lazy("spending per month"),
    "budget_month": gettext_lazy("budget per month"),
    "accepted_premium": gettext_lazy("accepted resilience premium"),
    "replica_cost_month": gettext_lazy("cost of the planned replicas per month"),
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
    "engine_activity": gettext_lazy("engine activity"),
    "engine_activity_target": gettext_lazy("target for engine activity"),
    "queue_wait_p95_ms": gettext_lazy("p95 of the wait in the queue"),
    "ttft_target_ms": gettext_lazy("target for the time to first token"),
}

# The headline KPIs, by the name of their function.
KPIS = {
    "mtbf": gettext_lazy("Service MTBF"),
    "error_budget_left": gettext_lazy("Error budget left"),
    "golden_signal_coverage": gettext_lazy("Golden-signal coverage"),
    "mttr": gettext_lazy("MTTR"),
    "objective_attainment": gettext_lazy("RTO and RPO attained"),
    "change_fail_rate": gettext_lazy("Change fail rate"),
    "integrity_detection": gettext_lazy("Integrity faults detected"),
    "false_alarms": gettext_lazy("False integrity alarms"),
    "attack_success": gettext_lazy("Attacks that succeed"),
    "cost_per_1k_tokens": gettext_lazy("Cost of 1,000 tokens"),
    "elasticity": gettext_lazy("Cost elasticity of load"),
    "resilience_premium": gettext_lazy("Resilience premium"),
}

# What numbers feed beside headline KPIs, by the rule of llm_remediation.
TRADEOFFS = {
    "T1": gettext_lazy("Trade-off T1: reliability and cost"),
    "T2": gettext_lazy("Trade-off T2: observability and evolvability"),
    "T3": gettext_lazy("Trade-off T3: security and recovery time"),
    "T4": gettext_lazy("Trade-off T4: reliability and change"),
    "T5": gettext_lazy("Trade-off T5: checkpoint interval"),
    "T6": gettext_lazy("Trade-off T6: content in telemetry"),
    "T7": gettext_lazy("Trade-off T7: guards, latency and cost"),
    "T8": gettext_lazy("Trade-off T8: utilisation and latency"),
}

UNITS = {
    "USD": gettext_lazy("%(value)s USD"),
    "USD/h": gettext_lazy("%(value)s USD/h"),
    "USD/month": gettext_lazy("%(value)s USD/month"),
    "USD/min": gettext_lazy("%(value)s USD/min"),
    "USD/1k tokens": gettext_lazy("%(value)s USD per 1,000 tokens"),
    "tokens/s": gettext_lazy("%(value)s tokens/s"),
    "tokens/J": gettext_lazy("%(value)s tokens/J"),
    "min": gettext_lazy("%(value)s min"),
    "min/month": gettext_lazy("%(value)s min/month"),
    "s": gettext_lazy("%(value)s s"),
    "ms": gettext_lazy("%(value)s ms"),
    "h": gettext_lazy("%(value)s h"),
    "d": gettext_lazy("%(value)s d"),
    "count per 1000 injected": gettext_lazy("%(value)s per 1,000 injected"),
}
BARE = frozenset({"count", "level", "ratio"})
"""Units whose number stands alone."""

UNIT_NAMES = {
    "count": gettext_lazy("count"),
    "USD": gettext_lazy("USD"),
    "USD/h": gettext_lazy("USD/h"),
    "USD/month": gettext_lazy("USD/month"),
    "min/month": gettext_lazy("min/month"),
    "s": gettext_lazy("s"),
    "ms": gettext_lazy("ms"),
    "h": gettext_lazy("h"),
    "d": gettext_lazy("d"),
}
"""Units as they stand beside a field; the others are written as in files."""


def name(code: str) -> str:
    """What a number is called; an unknown one by its code."""
    return str(NUMBERS.get(code, code))


def use(code: str) -> str:
    """What a number feeds: a headline KPI or a trade-off, in words."""
    return str({**KPIS, **TRADEOFFS}.get(code, code))


def unit_name(unit: str) -> str:
    """A unit by itself, in words."""
    return str(UNIT_NAMES.get(unit, unit))


def quantity(value: float, unit: str, digits: int | None = None) -> str:
    """`1,900 USD/month`, `16.3 %`: three significant digits, whole numbers in full."""
    return _with_unit(number(value, decimals(value) if digits is None else digits), unit)


def span(low: float, high: float, unit: str) -> str:
    """`84–97 %`, or one quantity where both are equal."""
    if low == high:
        return quantity(low, unit)
    digits = max(decimals(low), decimals(high))
    return _with_unit(f"{number(low, digits)}–{number(high, digits)}", unit)


def _with_unit(shown: str, unit: str) -> str:
    if unit in BARE or not unit:
        return shown
    if unit == "%":
        return f"{shown}\u202f%"
    return str(UNITS[unit]) % {"value": shown} if unit in UNITS else f"{shown} {unit}"


def decimals(value: float) -> int:
    """Decimals for three significant digits, at most six, without trailing zeros."""
    size = abs(value)
    if size >= 100 or size == 0:
        return 0
    most = next((n for n in range(1, MOST_DIGITS) if size * 10**n >= 100), MOST_DIGITS)
    return next((n for n in range(most) if round(value, n) == round(value, most)), most)
