"""The catalogue's YAML files as signals and stacks; everything wrong is reported with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from experiments.domain import promql
from experiments.domain.signal_model import (
    BETTER,
    CHECKED,
    INSTANT,
    KINDS,
    SCOPES,
    SERIES,
    Catalogue,
    Expression,
    NotCovered,
    Signal,
    Stack,
    Words,
)
from experiments.domain.signal_nodes import File, Map
from portal.errors import Invalid

# The order in which people read signals, and with them the order of everything exported.
LOGICAL = ("reliability", "observability", "recoverability", "evolvability", "security", "cost")
_ID = re.compile(r"sli\.[a-z][a-z0-9_]*")
_PRACTICE = re.compile(r"[A-Z]{3,4}-\d\d")
_WINDOW = re.compile(r"\d+[smhdw](:\d+[smhdw])?")


Known = Mapping[str, Signal]


class CatalogueErrors(Invalid):
    """The catalogue cannot be used; `problems` are sentences that begin with file and line."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            "signals.invalid",
            f"The signal catalogue has {len(self.problems)} problem(s).",
            extra={"problems": list(self.problems)},
        )

    def __str__(self) -> str:
        return "\n".join([self.message, *self.problems])


_NOTHING = Words("", "")


def read_folder(folder: Path) -> Catalogue:
    """All files of a folder as one catalogue. Raises CatalogueErrors with every problem in it."""
    problems: list[str] = []
    signals: dict[str, Signal] = {}
    for dimension in LOGICAL:
        file = File(f"logical/{dimension}.yaml", problems)
        for node in file.items(file.open((folder / file.name).read_text("utf-8"))):
            one = _signal(file, node)
            if one.id in signals:
                file.report(node, f"{one.id} is described twice")
            signals[one.id] = one
    stacks: dict[str, Stack] = {}
    for path in sorted(folder.glob("*.yaml")):
        file = File(path.name, problems)
        root = file.open(path.read_text("utf-8"))
        if root is not None:
            stack = _stack(file, root, signals)
            if stack.id != path.stem:
                file.report(root, f"the stack is {stack.id!r}, the file {path.stem!r}")
            stacks[stack.id] = stack
    covered = {each.signal for stack in stacks.values() for each in stack.expressions}
    problems += [f"{one}: no stack measures it" for one in signals if one not in covered]
    if problems:
        raise CatalogueErrors(problems)
    return Catalogue(tuple(signals.values()), tuple(stacks.values()))


def _signal(file: File, node: yaml.Node) -> Signal:
    entry = Map(file, node, "signal")
    signal_id = entry.text("id")
    entry.what = signal_id
    if not _ID.fullmatch(signal_id):
        file.report(node, f"{signal_id!r} is no id of a signal")
    shape = Map(file, entry.need("is"), f"{signal_id}: is")
    found = Signal(
        id=signal_id,
        title=entry.words("title") or _NOTHING,
        meaning=entry.words("meaning") or _NOTHING,
        kind=shape.choice("kind", KINDS),
        unit=shape.text("unit"),
        better=shape.choice("better", BETTER),
        window=shape.text("window"),
        series=shape.choice("series", SERIES),
        labels=entry.texts("labels", promql.LABEL),
        practices=entry.texts("practices", _PRACTICE),
    )
    if found.window != INSTANT and not _WINDOW.fullmatch(found.window):
        file.report(node, f"{signal_id}: {found.window!r} is no window")
    if not found.practices:
        file.report(node, f"{signal_id}: no practice reads it")
    shape.finish()
    entry.finish()
    return found


def _stack(file: File, root: yaml.Node, signals: Known) -> Stack:
    entry = Map(file, root, "stack")
    stack_id = entry.text("stack")
    title = entry.words("title") or _NOTHING
    found: dict[str, Expression] = {}
    for node in file.items(entry.need("expressions")):
        one = _expression(file, node, stack_id, title.en, signals)
        if one.signal in found:
            file.report(node, f"{one.signal} is measured twice")
        elif one.signal not in signals:
            file.report(node, f"{one.signal} is no signal")
        else:
            _check(file, node, one, signals[one.signal])
        found[one.signal] = one
    missing = []
    for node in file.items(entry.get("not_covered")):
        gap = Map(file, node, "not_covered")
        signal_id = gap.text("signal")
        if signal_id not in signals or signal_id in found:
            file.report(node, f"{signal_id} is unknown, or measured after all")
        missing.append(NotCovered(signal_id, gap.words("why") or _NOTHING))
        gap.finish()
    about = entry.words("about") or _NOTHING
    entry.finish()
    return Stack(stack_id, title, about, tuple(found.values()), tuple(missing))


def _expression(file: File, node: yaml.Node, stack_id: str, exporter: str, known: Known) -> Expression:
    entry = Map(file, node, "expression")
    signal_id = entry.text("signal")
    entry.what = signal_id
    scope = entry.texts("scope", re.compile("|".join(SCOPES)))
    found = Expression(
        signal=signal_id,
        stack=stack_id,
        promql=entry.text("promql"),
        exporter=file.text(entry.get("from"), f"{signal_id}: from") or exporter,
        labels=_labels(file, entry, known.get(signal_id)),
        scope=scope if "scope" in entry.values else SCOPES,
        checked=entry.choice("checked", CHECKED),
        names=_names(file, entry),
        since=entry.words("since", optional=True),
        needs=entry.words("needs", optional=True),
        trap=entry.words("trap", optional=True),
    )
    entry.finish()
    return found


def _labels(file: File, entry: Map, signal: Signal | None) -> tuple[tuple[str, str], ...]:
    """Pairs of the signal's label and the metrics' label; the same names where the key is absent."""
    node = entry.get("labels")
    if node is None:
        return tuple((each, each) for each in signal.labels) if signal else ()
    pairs = Map(file, node, f"{entry.what}: labels")
    return tuple((key, file.text(value, key)) for key, value in pairs.values.items())


def _names(file: File, entry: Map) -> tuple[str, str] | None:
    node = entry.get("names")
    if node is None:
        return None
    pair = Map(file, node, f"{entry.what}: names")
    found = (pair.text("new"), pair.text("old"))
    pair.finish()
    return found


def _check(file: File, node: yaml.Node, one: Expression, signal: Signal) -> None:
    """What an expression must keep to: readable, the window of its signal, the labels it promises."""
    try:
        windows = set(promql.ranges(one.promql))
        metrics = set(promql.metrics(one.promql))
    except Invalid as error:
        file.report(node, f"{one.signal}: {error.message}")
        return
    wanted = set() if signal.window == INSTANT else {signal.window}
    if windows != wanted:
        file.report(
            node, f"{one.signal}: looks back over {sorted(windows)}, the signal over {sorted(wanted)}"
        )
    for label, native in one.labels:
        if label not in signal.labels:
            file.report(node, f"{one.signal}: {label!r} is no label of the signal")
        if not re.search(rf"\b{re.escape(native)}\b", one.promql):
            file.report(node, f"{one.signal}: the expression does not keep the label {native!r}")
    for name in one.names or ():
        if name not in metrics:
            file.report(node, f"{one.signal}: the expression does not read {name!r}")
