"""The signal catalogue: what each logical signal means, and how each stack measures it.

Practices and experiments name signals (`sli.ttft_p95`); only this catalogue knows metric names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from experiments.domain import promql

KINDS = frozenset({"gauge", "ratio", "latency", "count", "age", "rate"})
BETTER = frozenset({"up", "down", "near"})
# How many series a signal may have: a handful, one per namespace or job, one per GPU or secret.
SERIES = frozenset({"few", "tens", "many"})
# Where a metric name was seen: source code, documentation, our own contract for exporters, or nowhere sure.
CHECKED = frozenset({"source", "docs", "contract", "unsure"})
SCOPES = ("cluster", "namespace")
INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Words:
    """A text in both languages."""

    en: str
    zh: str

    def in_language(self, language: str) -> str:
        """The text for a language code; anything but Chinese reads English."""
        return self.zh if language.startswith("zh") else self.en


@dataclass(frozen=True, slots=True)
class Signal:
    """A logical signal. `window` is the range its expressions look back over, or `instant`."""

    id: str
    title: Words
    meaning: Words
    kind: str
    unit: str
    better: str
    window: str
    series: str
    labels: tuple[str, ...]
    practices: tuple[str, ...]

    @property
    def name(self) -> str:
        """The id without its `sli.`"""
        return self.id.removeprefix("sli.")


@dataclass(frozen=True, slots=True)
class Expression:
    """One way to measure a signal on a stack.

    `labels` maps the signal's labels to those of the metrics (a label the stack lacks is left out), `scope`
    says which labels of a scope the series carry, `names` which generation of names is new and old.
    """

    signal: str
    stack: str
    promql: str
    exporter: str
    labels: tuple[tuple[str, str], ...]
    scope: tuple[str, ...]
    checked: str
    names: tuple[str, str] | None
    since: Words | None
    needs: Words | None
    trap: Words | None

    def scoped(self, scope: Mapping[str, str | Sequence[str]]) -> str:
        """The expression for a cluster or namespace; scope labels that its series lack are left out.

        Raises Invalid for a value that cannot be a label value.
        """
        return promql.render(self.promql, {key: scope[key] for key in self.scope if scope.get(key)})

    def left_out(self, scope: Mapping[str, str | Sequence[str]]) -> tuple[str, ...]:
        """The labels of the scope that this expression cannot apply."""
        return tuple(key for key in SCOPES if scope.get(key) and key not in self.scope)


@dataclass(frozen=True, slots=True)
class NotCovered:
    """A signal that a stack is known not to export, and why."""

    signal: str
    why: Words


@dataclass(frozen=True, slots=True)
class Stack:
    """Software whose metrics the catalogue knows."""

    id: str
    title: Words
    about: Words
    expressions: tuple[Expression, ...]
    not_covered: tuple[NotCovered, ...]


@dataclass(frozen=True)
class Catalogue:
    """All signals in the order of the dimensions, all stacks by id."""

    signals: tuple[Signal, ...]
    stacks: tuple[Stack, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Signal]:
        return {each.id: each for each in self.signals}

    @cached_property
    def by_stack(self) -> Mapping[str, Stack]:
        return {each.id: each for each in self.stacks}

    @cached_property
    def by_practice(self) -> Mapping[str, tuple[Signal, ...]]:
        """The signals that each practice reads."""
        found: dict[str, list[Signal]] = {}
        for each in self.signals:
            for practice in each.practices:
                found.setdefault(practice, []).append(each)
        return {practice: tuple(signals) for practice, signals in found.items()}
