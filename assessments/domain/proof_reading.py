"""How a practice is measured and shown: KPI with targets, and which fault or drill answers which clause."""

from __future__ import annotations

import re

import yaml

from assessments.domain import yaml_nodes as nodes
from assessments.domain.matrix import (
    HIGHEST_LEVEL,
    AnsweredBy,
    Condition,
    DrillProtocol,
    Kpi,
    KpiTarget,
)
from assessments.domain.yaml_nodes import Document, Mapping, quoted

OPERATIONS = frozenset({"measured", ">=", "<=", "==", "between"})
BETTER = frozenset({"up", "down", "near", "justified"})
# How often a drill is repeated at least, in days.
DRILL_DAYS = frozenset({30, 90, 180, 365})
DRILL_STEPS = (3, 7)
_FAULT = re.compile(r"F[1-9]\d?")


def read_kpi(document: Document, node: yaml.Node | None, name: str) -> Kpi | None:
    if node is None:
        return None
    entry = Mapping.read(document, node, f"{name}: kpi")
    unit = nodes.string(document, entry.required("unit"), f"{name}: kpi unit")
    kpi = Kpi(
        name=nodes.text(document, entry.required("name"), f"{name}: kpi name"),
        unit=unit,
        better=nodes.choice(document, entry.required("better"), f"{name}: kpi better", BETTER),
        formula=nodes.text(document, entry.required("formula"), f"{name}: kpi formula"),
        targets=tuple(
            target
            for each in nodes.items(document, entry.required("targets"), f"{name}: kpi targets")
            if (target := _target(document, each, name, unit)) is not None
        ),
    )
    entry.finish()
    if entry.usable and [each.level for each in kpi.targets] != [3, 4, 5]:
        entry.report("kpi.targets", f"{name}: kpi needs one target each for levels 3, 4 and 5", "targets")
    return kpi


def _target(document: Document, node: yaml.Node, name: str, unit: str) -> KpiTarget | None:
    what = f"{name}: kpi target"
    entry = Mapping.read(document, node, what)
    level = nodes.integer(document, entry.required("level"), f"{what} level", 3, HIGHEST_LEVEL)
    op = nodes.choice(document, entry.required("op"), f"{what} op", OPERATIONS)
    value, low, high = _bounds(document, entry, what, op)
    share = nodes.number(document, entry.optional("share"), f"{what} share")
    own_unit = entry.optional("unit")
    days, seconds = _window(document, entry.optional("window"), what)
    note = nodes.optional_text(document, entry.optional("text"), f"{what} text")
    also = tuple(
        condition
        for each in nodes.items(document, entry.optional("also"), f"{what} also")
        if (condition := _condition(document, each, f"{what} also")) is not None
    )
    entry.finish()
    if not op or level is None:
        return None
    if share is not None and not 0 < share <= 100:
        entry.report("kpi.target", f"{what}: share must be a percentage above 0", "share")
    return KpiTarget(
        level=level,
        op=op,
        value=value,
        unit=unit if own_unit is None else nodes.string(document, own_unit, f"{what} unit"),
        window_days=days,
        text=note,
        window_seconds=seconds,
        low=low,
        high=high,
        share=share,
        also=also,
    )


def _condition(document: Document, node: yaml.Node, what: str) -> Condition | None:
    entry = Mapping.read(document, node, what)
    name = nodes.text(document, entry.required("name"), f"{what} name")
    op = nodes.choice(document, entry.required("op"), f"{what} op", OPERATIONS)
    value, low, high = _bounds(document, entry, what, op)
    unit = nodes.string(document, entry.required("unit"), f"{what} unit")
    entry.finish()
    return Condition(name, op, value, unit, low, high) if op else None


def _bounds(
    document: Document, entry: Mapping, what: str, op: str
) -> tuple[float | None, float | None, float | None]:
    """`value`, `low` and `high`: exactly those that the operation takes."""
    value, low, high = (
        nodes.number(document, entry.optional(key), f"{what} {key}") for key in ("value", "low", "high")
    )
    if op:
        wanted = {"measured": set(), "between": {"low", "high"}}.get(op, {"value"})
        given = {key for key, each in (("value", value), ("low", low), ("high", high)) if each is not None}
        if given != wanted:
            needs = " and ".join(sorted(wanted)) or "no number"
            entry.report("kpi.target", f"{what}: {op} takes {needs}", "op")
    if low is not None and high is not None and low > high:
        entry.report("kpi.target", f"{what}: low is greater than high", "low")
    return value, low, high


def _window(document: Document, node: yaml.Node | None, what: str) -> tuple[int | None, int | None]:
    """`{days: N}` or `{seconds: N}`, exactly one of the two."""
    if node is None:
        return None, None
    entry = Mapping.read(document, node, f"{what} window")
    days = nodes.integer(document, entry.optional("days"), f"{what} window days", 1, 3650)
    seconds = nodes.integer(document, entry.optional("seconds"), f"{what} window seconds", 1, 86_400)
    entry.finish()
    if entry.usable and len(entry.values) != 1:
        entry.report("kpi.target", f"{what}: a window has either days or seconds")
    return days, seconds


def read_answers_by(document: Document, node: yaml.Node | None, name: str) -> tuple[AnsweredBy, ...]:
    found = []
    for each in nodes.items(document, node, f"{name}: answers_by"):
        entry = Mapping.read(document, each, f"{name}: answers_by")
        fault_node, drill_node = entry.optional("fault"), entry.optional("drill")
        fault = nodes.string(document, fault_node, f"{name}: fault") if fault_node is not None else None
        drill = nodes.optional_text(document, drill_node, f"{name}: drill")
        clauses = nodes.strings(document, entry.required("clauses"), f"{name}: answers_by clauses")
        protocol_node = entry.optional("protocol")
        protocol = None if protocol_node is None else _protocol(document, protocol_node, name)
        entry.finish()
        if fault is not None and protocol_node is not None:
            entry.report("answers_by.source", f"{name}: only a drill has a protocol", "protocol")
        if entry.usable and (fault is None) == (drill is None):
            entry.report("answers_by.source", f"{name}: answers_by has either a fault or a drill")
        if fault and not _FAULT.fullmatch(fault):
            entry.report("answers_by.source", f"{name}: {quoted(fault)} is no fault id such as F2", "fault")
        found.append(AnsweredBy(fault, drill, clauses, protocol))
    return tuple(found)


def _protocol(document: Document, node: yaml.Node, name: str) -> DrillProtocol | None:
    what = f"{name}: protocol"
    entry = Mapping.read(document, node, what)
    people = nodes.integer(document, entry.required("people"), f"{what} people", 1, 50)
    minutes = nodes.integer(document, entry.required("minutes"), f"{what} minutes", 1, 1440)
    every = nodes.integer(document, entry.required("every_days"), f"{what} every_days", 1, 365)
    steps = nodes.texts(document, entry.required("steps"), f"{what} step")
    passes = nodes.text(document, entry.required("pass"), f"{what} pass")
    record = nodes.text(document, entry.required("record"), f"{what} record")
    entry.finish()
    if every is not None and every not in DRILL_DAYS:
        listed = ", ".join(str(each) for each in sorted(DRILL_DAYS))
        entry.report("protocol.days", f"{what}: every_days is one of {listed}", "every_days")
    if entry.usable and "steps" in entry.values and not DRILL_STEPS[0] <= len(steps) <= DRILL_STEPS[1]:
        entry.report("protocol.steps", f"{what}: {DRILL_STEPS[0]} to {DRILL_STEPS[1]} steps", "steps")
    if people is None or minutes is None or every is None:
        return None
    return DrillProtocol(people, minutes, every, steps, passes, record)
