"""Candidates, budgets and reasons as the JSON that a roadmap keeps, and back again.

A roadmap keeps what it was made from, so that it reads the same after the matrix, the answers or the rates
have changed. Knows no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import EvidenceKind, Need
from assessments.domain.texts import Text
from llm_remediation.domain.model import (
    BlastRadius,
    Candidate,
    ClosingMethod,
    ClosingTest,
    EstimateSource,
    Reason,
    WaveBudget,
    Work,
)
from llm_remediation.domain.tradeoffs.model import Amount, Effect, Finding, FindingState, Option

_PLAIN = (
    *("id", "practice", "from_level", "to_level", "gain", "effort_days", "gpu_hours", "money"),
    *("weakest_gain", "days_low", "days_high", "pulled_in"),
)


def candidate_json(one: Candidate) -> dict[str, Any]:
    """Everything about a candidate as JSON values."""
    test = one.closing_test
    return {
        **{name: getattr(one, name) for name in _PLAIN},
        "blast_radius": one.blast_radius.value,
        "needs": list(one.needs),
        "dimension": one.dimension.value if one.dimension else None,
        "estimate": one.estimate.value,
        "work": one.work.value,
        "blocked": _needs_json(one.blocked),
        "assumed": _needs_json(one.assumed),
        "may_cost": [each.value for each in one.may_cost],
        "closing_test": closing_test_json(test) if test else None,
    }


def candidate(stored: Mapping[str, Any]) -> Candidate:
    """The candidate that `candidate_json` wrote."""
    return Candidate(
        **{name: stored[name] for name in _PLAIN},
        blast_radius=BlastRadius(stored["blast_radius"]),
        needs=tuple(stored["needs"]),
        dimension=Dimension(stored["dimension"]) if stored["dimension"] else None,
        estimate=EstimateSource(stored["estimate"]),
        work=Work(stored["work"]),
        blocked=_needs(stored["blocked"]),
        assumed=_needs(stored["assumed"]),
        may_cost=tuple(Dimension(each) for each in stored["may_cost"]),
        closing_test=closing_test(stored["closing_test"]) if stored["closing_test"] else None,
    )


def closing_test_json(test: ClosingTest) -> dict[str, Any]:
    """How a step closes, as JSON values; drills in both languages."""
    return {
        "method": test.method.value,
        "evidence": test.evidence.value,
        "faults": list(test.faults),
        "drills": [{"en": each.en, "zh": each.zh} for each in test.drills],
        "clauses": list(test.clauses),
    }


def closing_test(stored: Mapping[str, Any]) -> ClosingTest:
    """The closing test that `closing_test_json` wrote."""
    return ClosingTest(
        method=ClosingMethod(stored["method"]),
        evidence=EvidenceKind(stored["evidence"]),
        faults=tuple(stored["faults"]),
        drills=tuple(Text(each["en"], each["zh"]) for each in stored["drills"]),
        clauses=tuple(stored["clauses"]),
    )


def budget_json(budget: WaveBudget) -> dict[str, Any]:
    """One wave's limits; null is unlimited."""
    return {
        "days": budget.days,
        "gpu_hours": budget.gpu_hours,
        "money": budget.money,
        "blast_radius": budget.blast_radius.value if budget.blast_radius else None,
    }


def budget(stored: Mapping[str, Any]) -> WaveBudget:
    """The limits that `budget_json` wrote."""
    cap = stored["blast_radius"]
    return WaveBudget(
        stored["days"], stored["gpu_hours"], stored["money"], BlastRadius(cap) if cap is not None else None
    )


def reasons_json(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons as `{code, parameters}`."""
    return [{"code": each.code, "parameters": dict(each.parameters)} for each in reasons]


def reasons(stored: Iterable[Mapping[str, Any]]) -> tuple[Reason, ...]:
    """The reasons that `reasons_json` wrote."""
    return tuple(Reason(each["code"], dict(each["parameters"])) for each in stored)


def finding_json(one: Finding) -> dict[str, Any]:
    """What a rule found, as JSON values; a decision keeps it so."""
    return {
        "rule": one.rule,
        "dimensions": [each.value for each in one.dims],
        "state": one.state.value,
        "severity": one.severity.value,
        "service": one.service,
        "steps": list(one.items),
        "measures": _amounts_json(one.measures),
        "thresholds": _amounts_json(one.thresholds),
        "price": _amounts_json(one.price),
        "options": [
            {
                "code": each.code,
                "effects": {dimension.value: effect.value for dimension, effect in each.effects.items()},
                "needs": _needs_json([each.needs])[0] if each.needs else None,
                "open": each.open,
            }
            for each in one.options
        ],
        "missing": list(one.missing),
    }


def finding(stored: Mapping[str, Any]) -> Finding:
    """The finding that `finding_json` wrote."""
    return Finding(
        rule=stored["rule"],
        dims=(Dimension(stored["dimensions"][0]), Dimension(stored["dimensions"][1])),
        state=FindingState(stored["state"]),
        service=stored["service"],
        items=tuple(stored["steps"]),
        measures=_amounts(stored["measures"]),
        thresholds=_amounts(stored["thresholds"]),
        price=_amounts(stored["price"]),
        options=tuple(
            Option(
                each["code"],
                {Dimension(code): Effect(effect) for code, effect in each["effects"].items()},
                _needs([each["needs"]])[0] if each["needs"] else None,
                each["open"],
            )
            for each in stored["options"]
        ),
        missing=tuple(stored["missing"]),
    )


def _amounts_json(amounts: Iterable[Amount]) -> list[dict[str, Any]]:
    return [{"code": each.code, "value": each.value, "unit": each.unit} for each in amounts]


def _amounts(stored: Iterable[Mapping[str, Any]]) -> tuple[Amount, ...]:
    return tuple(Amount(each["code"], each["value"], each["unit"]) for each in stored)


def _needs_json(needs: Iterable[Need]) -> list[dict[str, Any]]:
    return [{"practice": each.practice, "level": each.level} for each in needs]


def _needs(stored: Iterable[Mapping[str, Any]]) -> tuple[Need, ...]:
    return tuple(Need(each["practice"], each["level"]) for each in stored)
