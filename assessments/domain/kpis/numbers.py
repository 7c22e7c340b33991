"""The numbers of a cluster that can be told: inputs of the headline KPIs and of the trade-offs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from assessments.domain.kpis.facts import Fact, FactKind

MAX_AGE_DAYS = 90
"""A number whose window ended longer ago says nothing about today."""


@dataclass(frozen=True, slots=True)
class NumberKind:
    """A number by its name; `unit` as written in files, `whole` for counts.

    `used_by` names KPIs and trade-offs; `per_service`: it may be given
    for one service; without a service it is about the whole cluster.
    """

    name: str
    unit: str
    used_by: tuple[str, ...]
    whole: bool = False
    per_service: bool = False
    most: float | None = None


def _count(name: str, *used_by: str) -> NumberKind:
    return NumberKind(name, "count", used_by, whole=True)


NUMBERS: Mapping[str, NumberKind] = {
    each.name: each
    for each in (
        # REL
        NumberKind("observed_h", "h", ("mtbf",), per_service=True),
        NumberKind("slo_good", "count", ("error_budget_left", "T4"), whole=True, per_service=True),
        NumberKind("slo_total", "count", ("error_budget_left", "T4"), whole=True, per_service=True),
        NumberKind("slo_objective", "%", ("error_budget_left", "T4"), per_service=True, most=100),
        NumberKind("slo_window_days", "d", ("T4",), per_service=True),
        # OBS
        _count("services_in_scope", "golden_signal_coverage"),
        _count("services_scaled_to_zero", "golden_signal_coverage"),
        _count("fresh_http", "golden_signal_coverage"),
        _count("fresh_slo", "golden_signal_coverage"),
        _count("fresh_log", "golden_signal_coverage"),
        _count("fresh_metric", "golden_signal_coverage"),
        _count("fresh_trace", "golden_signal_coverage"),
        # RCV
        _count("exercises", "objective_attainment"),
        _count("exercises_inside", "objective_attainment"),
        _count("without_objective", "objective_attainment"),
        # EVO
        _count("changes", "change_fail_rate"),
        _count("changes_failed", "change_fail_rate"),
        # SEC
        _count("integrity_runs", "integrity_detection"),
        _count("integrity_detected", "integrity_detection"),
        _count("null_faults", "false_alarms"),
        _count("false_alarms", "false_alarms"),
        _count("attacks_replayed", "attack_success"),
        _count("attacks_successful", "attack_success"),
        # COST
        NumberKind("gpu_usd_per_h", "USD/h", ("cost_per_1k_tokens", "T7"), per_service=True),
        NumberKind("other_usd_per_h", "USD/h", ("cost_per_1k_tokens", "T7"), per_service=True),
        NumberKind("billable_tokens_per_s", "tokens/s", ("cost_per_1k_tokens", "T7"), per_service=True),
        NumberKind("step_cost_before", "USD/h", ("elasticity",)),
        NumberKind("step_cost_after", "USD/h", ("elasticity",)),
        NumberKind("step_tokens_before", "tokens/s", ("elasticity",)),
        NumberKind("step_tokens_after", "tokens/s", ("elasticity",)),
        NumberKind("cost_with_resilience", "USD/month", ("resilience_premium", "T1")),
        NumberKind("cost_bare", "USD/month", ("resilience_premium", "T1")),
        # T1 reliability against cost
        NumberKind("spend_month", "USD/month", ("T1",)),
        NumberKind("budget_month", "USD/month", ("T1",)),
        NumberKind("accepted_premium", "%", ("T1",)),
        NumberKind("replica_cost_month", "USD/month", ("T1",)),
        NumberKind("slo_miss_minutes_month", "min/month", ("T1",)),
        NumberKind("slo_miss_avoidable_month", "min/month", ("T1",)),
        # T2 observability against evolvability
        _count("series_active", "T2"),
        _count("series_planned", "T2"),
        NumberKind("series_cost_month", "USD/month", ("T2",)),
        _count("releases_counted", "T2"),
        _count("releases_that_broke_rules", "T2"),
        # T3 security in the recovery path
        NumberKind("drill_verify_s", "s", ("T3",)),
        NumberKind("drill_decrypt_s", "s", ("T3",)),
        NumberKind("drill_authenticate_s", "s", ("T3",)),
        NumberKind("drill_approve_s", "s", ("T3",)),
        NumberKind("drill_total_s", "s", ("T3",)),
        NumberKind("rto_s", "s", ("T3",)),
        # T4 reliability against change
        _count("changes_queued", "T4"),
        # T5 checkpoint interval
        NumberKind("checkpoint_save_s", "s", ("T5",), per_service=True),
        NumberKind("checkpoint_interval_s", "s", ("T5",), per_service=True),
        NumberKind("checkpoint_restart_s", "s", ("T5",), per_service=True),
        NumberKind("job_mtbf_h", "h", ("T5",), per_service=True),
        # T6 content in telemetry
        NumberKind("spans_with_content", "%", ("T6",), most=100),
        NumberKind("content_retention_days", "d", ("T6",)),
        # T7 guards
        NumberKind("ttft_p95_ms", "ms", ("T7", "T8"), per_service=True),
        NumberKind("guard_ttft_p95_ms", "ms", ("T7",), per_service=True),
        NumberKind("guard_usd_per_1k_tokens", "USD", ("T7",), per_service=True),
        # T8 utilisation
        NumberKind("engine_activity", "%", ("T8",), per_service=True, most=100),
        NumberKind("engine_activity_target", "%", ("T8",), per_service=True, most=100),
        NumberKind("queue_wait_p95_ms", "ms", ("T8",), per_service=True),
        NumberKind("ttft_target_ms", "ms", ("T8",), per_service=True),
    )
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The newest value of a number, of the whole cluster or of one service, and the window it is about."""

    name: str
    service: str
    value: float
    start: datetime
    end: datetime


def readings(facts: Iterable[Fact], as_of: datetime) -> dict[tuple[str, str], Reading]:
    """The newest usable reading by (name, service).

    Usable: a known number whose window ended in the last 90 days and not after `as_of`. Of several the
    one whose window ends last holds, then the one that starts last, then the later one of the iteration.
    """
    found: dict[tuple[str, str], Reading] = {}
    for fact in facts:
        if fact.kind is not FactKind.number or fact.name not in NUMBERS:
            continue
        if fact.value is None or fact.end is None:
            continue
        if not as_of - timedelta(days=MAX_AGE_DAYS) <= fact.end <= as_of:
            continue
        before = found.get((fact.name, fact.service))
        if before is None or (fact.end, fact.start) >= (before.end, before.start):
            found[fact.name, fact.service] = Reading(
                fact.name, fact.service, fact.value, fact.start, fact.end
            )
    return found
