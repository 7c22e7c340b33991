"""The catalogue as plain data for programs and as the generated part of docs/reference/signals.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.domain.rules import record_name
from experiments.domain.signal_model import Catalogue, Expression, Signal, Words
from experiments.domain.signals import catalogue, expressions

BEGIN, END = "<!-- signals: begin -->", "<!-- signals: end -->"


def as_data(stacks: Sequence[str] = ()) -> dict[str, Any]:
    """Signals with their expressions, and stacks; texts in both languages. Some stacks, or all."""
    known = catalogue()
    rows = [
        _signal(signal, [one for one in expressions(signal.id) if not stacks or one.stack in stacks])
        for signal in known.signals
    ]
    chosen = [one for one in known.stacks if not stacks or one.id in stacks]
    return {
        "signals": [row for row in rows if row["expressions"]],
        "stacks": [
            {
                "id": one.id,
                "title": _words(one.title),
                "about": _words(one.about),
                "not_covered": [{"signal": gap.signal, "why": _words(gap.why)} for gap in one.not_covered],
            }
            for one in chosen
        ],
    }


def _signal(signal: Signal, found: Sequence[Expression]) -> dict[str, Any]:
    return {
        "id": signal.id,
        "title": _words(signal.title),
        "meaning": _words(signal.meaning),
        "kind": signal.kind,
        "unit": signal.unit,
        "better": signal.better,
        "window": signal.window,
        "series": signal.series,
        "labels": list(signal.labels),
        "practices": list(signal.practices),
        "record": record_name(signal),
        "expressions": [_expression(one) for one in found],
    }


def _expression(one: Expression) -> dict[str, Any]:
    return {
        "stack": one.stack,
        "exporter": one.exporter,
        "promql": one.promql,
        "labels": dict(one.labels),
        "scope": list(one.scope),
        "checked": one.checked,
        "names": {"new": one.names[0], "old": one.names[1]} if one.names else None,
        "since": _words(one.since),
        "needs": _words(one.needs),
        "trap": _words(one.trap),
    }


def _words(text: Words | None) -> dict[str, str] | None:
    return {"en": text.en, "zh": text.zh} if text else None


def markdown(page: str) -> str:
    """The page with its generated part written anew between the two marks."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{_tables(catalogue())}\n{END}{after}"


def _tables(known: Catalogue) -> str:
    lines = [
        "## Signals",
        "",
        "| signal | unit | window | better | read by | stacks |",
        "|---|---|---|---|---|---|",
    ]
    for each in known.signals:
        where = ", ".join(one.stack for one in expressions(each.id))
        read_by = ", ".join(each.practices)
        lines.append(f"| `{each.id}` | {each.unit} | {each.window} | {each.better} | {read_by} | {where} |")
    lines += [
        "",
        "## Stacks",
        "",
        "| stack | rows | source | docs | contract | unsure | stated as not covered |",
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for one in known.stacks:
        counts = [
            str(sum(each.checked == level for each in one.expressions))
            for level in ("source", "docs", "contract", "unsure")
        ]
        gaps = ", ".join(f"`{gap.signal}`" for gap in one.not_covered) or "–"
        lines.append(f"| {one.id} | {len(one.expressions)} | {' | '.join(counts)} | {gaps} |")
    return "\n".join(lines)
