"""The catalogue as recording rules of Prometheus: the same bytes for the same wishes.

Names follow level:metric:operations with our level, `ballast:ttft_p95:5m`. What tells apart the same signal
of two stacks or scopes stands in labels, because two rules that record the same series spoil each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.domain.signal_model import INSTANT, SCOPES, Catalogue, Expression, Signal
from experiments.domain.signals import catalogue, stack
from portal.errors import Invalid

# Prometheus evaluates a group as a whole; a signal that looks back for days needs no minute.
FAST, SLOW = "1m", "15m"
_SLOW_UNITS = ("d", "w", "y")


@dataclass(frozen=True, slots=True)
class Rule:
    """One recording rule: name, expression, labels in order, scope labels it could not apply."""

    record: str
    promql: str
    labels: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]


def record_name(signal: Signal) -> str:
    """`ballast:ttft_p95:5m`; `last` for a signal without a window."""
    window = "last" if signal.window == INSTANT else signal.window.partition(":")[0]
    return f"ballast:{signal.name}:{window}"


def scope_of(cluster: str = "", namespace: str = "") -> dict[str, str]:
    """A scope without its empty parts. Raises Invalid for control characters or an overlong value."""
    found = {"cluster": cluster.strip(), "namespace": namespace.strip()}
    for label, value in found.items():
        if len(value) > 253 or any(ord(letter) < 0x20 or ord(letter) == 0x7F for letter in value):
            raise Invalid(
                "scope.invalid",
                f"{label} must be a name of at most 253 characters without control characters.",
                place=label,
            )
    return {label: value for label, value in found.items() if value}


def rule(one: Expression, signal: Signal, scope: Mapping[str, str]) -> Rule:
    """The rule of an expression in a scope."""
    applied = tuple((key, scope[key]) for key in SCOPES if key in scope and key in one.scope)
    return Rule(record_name(signal), one.scoped(scope), (*applied, ("stack", one.stack)), one.left_out(scope))


def rules_yaml(stacks: Sequence[str] = (), scope: Mapping[str, str] | None = None) -> str:
    """A rule file for some stacks (default: all), in the catalogue's order.

    Raises NotFound for a stack that does not exist, Invalid for a scope that no label can hold.
    """
    known = catalogue()
    for wanted in stacks:
        stack(wanted)
    lines = ["# Recording rules of the Ballast signal catalogue: manage.py signals --rules", "groups:"]
    for one in known.stacks:
        if not stacks or one.id in stacks:
            lines += _groups(known, one.id, scope or {})
    return "\n".join(lines) + "\n"


def _groups(known: Catalogue, stack_id: str, scope: Mapping[str, str]) -> list[str]:
    """The groups of a stack: signals of minutes and signals of days, each with its own interval."""
    lines: list[str] = []
    for suffix, interval, slow in (("", FAST, False), ("_days", SLOW, True)):
        chosen = [
            each
            for each in known.by_stack[stack_id].expressions
            if known.by_id[each.signal].window.endswith(_SLOW_UNITS) == slow
        ]
        if chosen:
            lines += [f"  - name: ballast_{stack_id}{suffix}", f"    interval: {interval}", "    rules:"]
        for each in chosen:
            lines += _rule_lines(rule(each, known.by_id[each.signal], scope))
    return lines


def _rule_lines(one: Rule) -> list[str]:
    lines = [f"      # these series have no {label}" for label in one.left_out]
    lines += [f"      - record: {one.record}", f"        expr: {quoted(one.promql)}", "        labels:"]
    return lines + [f"          {label}: {quoted(value)}" for label, value in one.labels]


def quoted(text: str) -> str:
    """A text as a double-quoted YAML scalar on one line that YAML 1.1 and 1.2 read alike."""
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    code = ord(letter)
    if 0x20 <= code < 0x7F or (0xA0 <= code < 0xD800 and code not in (0x2028, 0x2029)):
        return letter
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
