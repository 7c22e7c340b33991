"""One practice file: YAML nodes to `Practice` values, with every problem reported at its line."""

from __future__ import annotations

import re
import string as letters
from dataclasses import dataclass

import yaml

from assessments.domain import yaml_nodes as nodes
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import (
    HIGHEST_LEVEL,
    Clause,
    EffortStep,
    EvidenceKind,
    Need,
    Practice,
)
from assessments.domain.proof_reading import read_answers_by, read_kpi
from assessments.domain.texts import Text
from assessments.domain.yaml_nodes import Document, Mapping, line_of, quoted

ASKS = frozenset({"SRE", "ML", "SEC", "FIN"})
KINDS = frozenset({"serve", "train"})
TAGS = frozenset({"moe", "lora", "rag", "multi-tenant", "spot"})
MAX_CLAUSES_PER_LEVEL = 3
MIN_RULINGS = 2
PRACTICE_ID = re.compile(r"(REL|OBS|RCV|EVO|SEC|COST)-\d\d")
_SIGNAL = re.compile(r"sli\.[a-z][a-z0-9_]{0,62}")
_EVIDENCE = frozenset(kind.value for kind in EvidenceKind)
_DIMENSIONS = frozenset(each.value for each in Dimension)
_NO_TEXT = Text("", "")


@dataclass(frozen=True, slots=True)
class PlacedPractice:
    """A practice with the nodes that later checks need in order to name a line."""

    practice: Practice
    document: Document
    entry: Mapping

    def report(self, rule: str, message: str, key: str | None = None) -> None:
        """Note a problem of this practice at the line of one of its keys."""
        self.entry.report(rule, f"{self.practice.id}: {message}", key)


def read_practices(document: Document, root: yaml.Node, dimension: Dimension) -> list[PlacedPractice]:
    """All practices of a file. The file must belong to `dimension`; problems go into the document."""
    top = Mapping.read(document, root, "file")
    stated = nodes.choice(document, top.required("dimension"), "dimension", _DIMENSIONS)
    if stated and stated != dimension:
        top.report("practice.dimension", f"this file is for {dimension}, not {stated}", "dimension")
    found = []
    for node in nodes.items(document, top.required("practices"), "practices"):
        placed = _practice(document, node, dimension)
        if placed is not None:
            found.append(placed)
    top.finish()
    return found


def _practice(document: Document, node: yaml.Node, dimension: Dimension) -> PlacedPractice | None:
    entry = Mapping.read(document, node, "practice")
    name = nodes.string(document, entry.required("id"), "id")
    if not PRACTICE_ID.fullmatch(name):
        if name:
            entry.report("practice.id", f"{quoted(name)} is no practice id such as REL-04", "id")
        return None
    if not name.startswith(f"{dimension}-"):
        entry.report("practice.dimension", f"{name} does not belong to {dimension}", "id")
        return None
    worded = nodes.boolean(document, entry.required("worded"), f"{name}: worded")
    when_worded = entry.required if worded else entry.optional
    practice = Practice(
        id=name,
        dimension=dimension,
        core=nodes.boolean(document, entry.optional("core"), f"{name}: core"),
        worded=worded,
        title=nodes.text(document, entry.required("title"), f"{name}: title"),
        question=nodes.text(document, entry.required("question"), f"{name}: question"),
        why=nodes.optional_text(document, when_worded("why"), f"{name}: why"),
        proof=nodes.texts(document, entry.required("proof"), f"{name}: proof"),
        rulings=nodes.texts(document, when_worded("rulings"), f"{name}: ruling"),
        clauses=_clauses(document, when_worded("clauses"), name),
        kpi=read_kpi(document, when_worded("kpi"), name),
        answers_by=read_answers_by(document, entry.optional("answers_by"), name),
        needs=_needs(document, entry.required("needs"), name),
        tension=_tension(document, entry.optional("tension"), name),
        ask=nodes.choice(document, entry.required("ask"), f"{name}: ask", ASKS),
        kinds=words(document, entry.required("for"), f"{name}: for", KINDS),
        tags=words(document, entry.optional("tags"), f"{name}: tags", TAGS),
        nist=nodes.strings(document, entry.required("nist"), f"{name}: nist"),
        xref=nodes.strings(document, entry.optional("xref"), f"{name}: xref"),
        effort=_effort(document, when_worded("effort"), name),
        weight=_weight(document, entry, name),
        signals=_signals(document, entry.optional("signals"), name),
    )
    entry.finish()
    placed = PlacedPractice(practice, document, entry)
    _check_practice(placed)
    return placed


def words(document: Document, node: yaml.Node | None, what: str, allowed: frozenset[str]) -> frozenset[str]:
    """A list of words that are all known; unknown ones are problems and are left out."""
    words = nodes.strings(document, node, what)
    for each in words:
        if each not in allowed and node is not None:
            message = f"{what}: {quoted(each)} is not one of {', '.join(sorted(allowed))}"
            document.report(line_of(node), "schema.value", message)
    return frozenset(words) & allowed


def _signals(document: Document, node: yaml.Node | None, name: str) -> tuple[str, ...]:
    found = nodes.strings(document, node, f"{name}: signals")
    for each in found:
        if not _SIGNAL.fullmatch(each) and node is not None:
            message = f"{name}: {quoted(each)} is no signal id such as sli.ttft_p95"
            document.report(line_of(node), "schema.value", message)
    return found


def _weight(document: Document, entry: Mapping, name: str) -> float:
    weight = nodes.number(document, entry.optional("weight"), f"{name}: weight")
    if weight is None:
        return 1.0
    if weight <= 0:
        entry.report("schema.value", f"{name}: weight must be greater than 0", "weight")
        return 1.0
    return weight


def _clauses(document: Document, node: yaml.Node | None, name: str) -> tuple[Clause, ...]:
    found: list[Clause] = []
    for each in nodes.items(document, node, f"{name}: clauses"):
        entry = Mapping.read(document, each, f"{name}: clause")
        clause_id = nodes.string(document, entry.required("id"), f"{name}: clause id")
        what = clause_id or f"{name}: clause"
        level = nodes.integer(document, entry.required("level"), f"{what}: level", 1, HIGHEST_LEVEL)
        kind = nodes.choice(document, entry.required("evidence"), f"{what}: evidence", _EVIDENCE)
        tags = words(document, entry.optional("tags"), f"{what}: tags", TAGS)
        statement = nodes.bilingual(entry, what)
        entry.finish()
        if not clause_id or level is None or not kind:
            continue
        nth = sum(1 for other in found if other.level == level)
        expected = f"{name}.L{level}.{letters.ascii_lowercase[nth]}" if nth < 26 else ""
        if nth >= MAX_CLAUSES_PER_LEVEL:
            message = f"{what}: level {level} has more than {MAX_CLAUSES_PER_LEVEL} clauses"
            entry.report("clause.count", message, "id")
        elif clause_id != expected:
            entry.report("clause.id", f"clause id is {quoted(clause_id)}, expected {expected}", "id")
        if found and level < found[-1].level:
            entry.report("clause.order", f"{what}: levels must rise from clause to clause", "level")
        found.append(Clause(clause_id, name, level, statement, EvidenceKind(kind), tags))
    return tuple(found)


def _needs(document: Document, node: yaml.Node | None, name: str) -> tuple[Need, ...]:
    found: list[Need] = []
    for each in nodes.items(document, node, f"{name}: needs"):
        entry = Mapping.read(document, each, f"{name}: need")
        other = nodes.string(document, entry.required("practice"), f"{name}: need")
        level = nodes.integer(document, entry.required("level"), f"{name}: need level", 1, HIGHEST_LEVEL)
        entry.finish()
        if other in {need.practice for need in found}:
            entry.report("needs.duplicate", f"{name}: needs {other} more than once", "practice")
        elif other and level is not None:
            found.append(Need(other, level))
    return tuple(found)


def _tension(document: Document, node: yaml.Node | None, name: str) -> tuple[tuple[Dimension, str], ...]:
    if node is None:
        return ()
    entry = Mapping.read(document, node, f"{name}: tension")
    found = []
    for key in sorted(_DIMENSIONS & set(entry.values)):
        sign = nodes.choice(document, entry.optional(key), f"{name}: tension {key}", frozenset("+-"))
        found.append((Dimension(key), sign))
    entry.asked |= _DIMENSIONS
    entry.finish()
    return tuple(found)


def _effort(document: Document, node: yaml.Node | None, name: str) -> tuple[EffortStep, ...]:
    found = []
    for each in nodes.items(document, node, f"{name}: effort"):
        entry = Mapping.read(document, each, f"{name}: effort")
        to_level = nodes.integer(document, entry.required("to"), f"{name}: effort to", 1, HIGHEST_LEVEL)
        days_node = entry.required("days")
        days = [
            nodes.number(document, day, f"{name}: effort days")
            for day in nodes.items(document, days_node, f"{name}: effort days")
        ]
        hours = nodes.number(document, entry.required("gpu_hours"), f"{name}: effort gpu_hours")
        entry.finish()
        known = [day for day in days if day is not None]
        if to_level is None or hours is None or len(known) != len(days):
            continue
        if len(known) != 3 or known != sorted(known) or known[0] < 0 or hours < 0:
            message = f"{name}: effort days are low, likely and high, rising; nothing is negative"
            entry.report("effort.days", message, "days")
            continue
        found.append(EffortStep(to_level, known[0], known[1], known[2], hours))
    if node is not None and [each.to_level for each in found] != list(range(1, HIGHEST_LEVEL + 1)):
        document.report(line_of(node), "effort.steps", f"{name}: effort needs one step to each level 1 to 5")
    return tuple(found)


def _check_practice(placed: PlacedPractice) -> None:
    """What must hold inside one practice."""
    practice = placed.practice
    known = {clause.id for clause in practice.clauses}
    for answer in practice.answers_by:
        for clause_id in answer.clauses:
            if clause_id not in known:
                placed.report("answers_by.clause", f"has no clause {quoted(clause_id)}", "answers_by")
    if "for" in placed.entry.values and not practice.kinds:
        placed.report("schema.value", "`for` must name serve, train or both", "for")
    if not practice.worded:
        return
    for level in range(1, HIGHEST_LEVEL + 1):
        if "clauses" in placed.entry.values and not practice.clauses_at(level):
            placed.report("clause.level-missing", f"level {level} has no clause", "clauses")
        elif "clauses" in placed.entry.values and all(each.tags for each in practice.clauses_at(level)):
            placed.report("clause.tags", f"level {level} has no clause without tags", "clauses")
    if "rulings" in placed.entry.values and len(practice.rulings) < MIN_RULINGS:
        placed.report("rulings.count", f"a worded practice has at least {MIN_RULINGS} rulings", "rulings")
    if "proof" in placed.entry.values and not practice.proof:
        placed.report("schema.value", "`proof` names nothing to show", "proof")
