"""Trade-offs in the reader's language: title, what the numbers say, the price, the ways out.

Pages, API and report take their words from here, so that all say the same.
"""

from __future__ import annotations

from functools import reduce

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.templatetags.ui import dimension_name
from llm_remediation.domain.tradeoffs.model import Finding, FindingState, Option
from llm_remediation.tradeoff_number_words import amount, apart, name
from llm_remediation.words import full_stop

TITLES = {
    "T1": gettext_lazy("More replicas or less spending"),
    "T2": gettext_lazy("More instrumentation or easier releases"),
    "T3": gettext_lazy("Stricter checks or faster recovery"),
    "T4": gettext_lazy("A freeze for the SLO or changes that go out"),
    "T5": gettext_lazy("More checkpoints or more useful GPU-hours"),
    "T6": gettext_lazy("Prompts in traces or less to leak"),
    "T7": gettext_lazy("Guards or latency and cost"),
    "T8": gettext_lazy("Busier engines or shorter queues"),
}

# By code of the measure that is compared with a threshold; both values are in every sentence.
SIGNALS = {
    "planned_spend": gettext_lazy("With the plan %(value)s are spent; the budget is %(limit)s."),
    "premium": gettext_lazy(
        "Redundancy, checkpoints and headroom add %(value)s to the cost of bare capacity; "
        "accepted are %(limit)s."
    ),
    "series_growth": gettext_lazy(
        "The plan makes the active series grow by %(value)s; the threshold is %(limit)s."
    ),
    "releases_broken": gettext_lazy(
        "%(value)s of the releases broke a rule, dashboard or probe; the threshold is %(limit)s."
    ),
    "security_share_of_rto": gettext_lazy(
        "To verify, decrypt, authenticate and approve took %(value)s of the RTO in the last drill; "
        "the threshold is %(limit)s."
    ),
    "budget_left": gettext_lazy("%(value)s of the error budget is left; the threshold is %(limit)s."),
    "changes_queued": gettext_lazy("Changes that wait: %(value)s; the threshold is %(limit)s."),
    "interval_deviation": gettext_lazy(
        "The checkpoint interval is %(value)s away from the best one (Young); the threshold is %(limit)s."
    ),
    "spans_with_content": gettext_lazy(
        "%(value)s of the spans hold prompts or answers; the threshold is %(limit)s."
    ),
    "isolation_level": gettext_lazy(
        "Tenant isolation (SEC-04) is at level %(value)s; content in spans asks for level %(limit)s."
    ),
    "guard_latency": gettext_lazy(
        "The guard adds %(value)s to the p95 of the time to first token; the threshold is %(limit)s."
    ),
    "guard_cost": gettext_lazy(
        "The guard adds %(value)s to the cost of 1,000 tokens; the threshold is %(limit)s."
    ),
    "engine_activity_target": gettext_lazy(
        "The target for engine activity is %(value)s; the threshold is %(limit)s."
    ),
    "wait_share_of_ttft": gettext_lazy(
        "The p95 of the wait in the queue is %(value)s of the target for the time to first token; "
        "the threshold is %(limit)s."
    ),
}

# By rule and option code.
OPTIONS = {
    "T1": {
        "spot_replica": gettext_lazy("Run the extra replica on spot capacity"),
        "smaller_fallback": gettext_lazy("Fall back to a smaller model instead of a full replica (RCV-02)"),
        "faster_cold_start": gettext_lazy("Start cold faster instead of keeping a replica warm (RCV-04)"),
    },
    "T2": {
        "one_catalogue": gettext_lazy("One signal catalogue per stack"),
        "contract_test": gettext_lazy("A contract test for metric names (EVO-05)"),
        "auto_instrumentation": gettext_lazy("Automatic instrumentation"),
        "drop_unused": gettext_lazy("Drop series that nothing reads"),
    },
    "T3": {
        "cache_digests": gettext_lazy("Keep verified digests next to the node"),
        "break_glass": gettext_lazy("A break-glass role with audit (AC-5, AU-10)"),
        "preapproved_repairs": gettext_lazy("Approve class-A repairs in advance"),
        "key_availability_test": gettext_lazy("Test that keys are there when they are needed"),
    },
    "T4": {
        "smaller_canary": gettext_lazy("A canary with a smaller step"),
        "ranked_queue": gettext_lazy("Release by risk: the safest change first"),
        "freeze": gettext_lazy("Freeze changes until a date"),
    },
    "T5": {
        "new_interval": gettext_lazy("Save at the best interval"),
        "async_checkpoint": gettext_lazy("Save asynchronously or to local disks"),
        "raise_mtbf": gettext_lazy("Make failures rarer first (REL-08)"),
    },
    "T6": {
        "hash_only": gettext_lazy("Store hashes or token counts only"),
        "redaction_test": gettext_lazy("Redact content and test that it is redacted"),
        "separate_store": gettext_lazy("Keep content in a separate store (AU-9(2))"),
    },
    "T7": {
        "smaller_guard": gettext_lazy("A smaller guard model"),
        "async_check": gettext_lazy("Check asynchronously and retract"),
        "per_tenant_policy": gettext_lazy("A policy per tenant: guard where it matters"),
    },
    "T8": {
        "priority_classes": gettext_lazy("Priority classes in the queue"),
        "admission_limit": gettext_lazy("An admission limit (REL-03)"),
        "burst_pool": gettext_lazy("A pool for bursts"),
    },
}

STATES = {
    FindingState.real: gettext_lazy("Measured: needs a decision"),
    FindingState.quiet: gettext_lazy("Measured: no conflict"),
    FindingState.not_measured: gettext_lazy("Not measured"),
}


def title(rule: str) -> str:
    """What the trade-off is between."""
    return str(TITLES[rule])


def state(finding: Finding) -> str:
    """Real, quiet or not measured, in words."""
    return str(STATES[finding.state])


def sentence(finding: Finding) -> str:
    """What the numbers say, each beside its threshold, and which numbers are missing."""
    said = [_signal(finding, each.code) for each in finding.thresholds]
    if finding.missing:
        said.append(full_stop(_("Not measured: %(numbers)s") % {"numbers": missing(finding)}))
    if not said:
        return full_stop(str(STATES[FindingState.quiet]))
    return reduce(lambda first, then: _("%(first)s %(then)s") % {"first": first, "then": then}, said)


def missing(finding: Finding) -> str:
    """The numbers that would have to be known, by name."""
    return _(", ").join(name(each) for each in finding.missing)


def chip(finding: Finding) -> str:
    """The short text on a step: what is paid, or that nobody has measured it; empty where nothing is."""
    values = {"dimension": finding.falls.value}
    if finding.state is FindingState.not_measured:
        return _("may cost %(dimension)s (not measured)") % values
    if finding.state is FindingState.quiet:
        return ""
    if finding.price:
        return _("costs %(dimension)s: %(price)s") % {**values, "price": amount(finding.price[0])}
    return _("costs %(dimension)s") % values


def price(finding: Finding) -> str:
    """What it costs, in the units of the rule; empty where that is not known."""
    return _("; ").join(_named(each.code, amount(each)) for each in finding.price)


def measures(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Name and value of everything the finding rests on."""
    return tuple((name(each.code), amount(each)) for each in finding.measures)


def option(rule: str, code: str) -> str:
    """A way out."""
    return str(OPTIONS[rule][code])


def need(one: Option) -> str:
    """What an option needs first; empty where it needs nothing."""
    if one.needs is None:
        return ""
    values = {"practice": one.needs.practice, "level": one.needs.level}
    if one.open:
        return _("has what it needs: %(practice)s at level %(level)d") % values
    return _("needs %(practice)s at level %(level)d first") % values


def tension(finding: Finding) -> str:
    """The two dimensions by name, the one that gains first."""
    gains, pays = (dimension_name(each.value) for each in finding.dims)
    return _("%(gains)s against %(pays)s") % {"gains": gains, "pays": pays}


def _signal(finding: Finding, code: str) -> str:
    measured = next(each for each in finding.measures if each.code == code)
    limit = next(each for each in finding.thresholds if each.code == code)
    value, shown = apart(measured, limit)
    return str(SIGNALS[code]) % {"value": value, "limit": shown}


def _named(code: str, value: str) -> str:
    return _("%(name)s: %(value)s") % {"name": name(code), "value": value}
