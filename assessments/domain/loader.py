"""From YAML texts to a `Matrix`, or to every reason why there is none."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping as Texts
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from assessments.domain import yaml_nodes as nodes
from assessments.domain.dimensions import FILES
from assessments.domain.evidence import CEILINGS, EXPIRY_DAYS
from assessments.domain.matrix import (
    HIGHEST_LEVEL,
    EvidenceKind,
    EvidenceRule,
    LevelRule,
    Matrix,
    Practice,
)
from assessments.domain.practice_reading import PRACTICE_ID, PlacedPractice, read_practices
from assessments.domain.problems import MatrixErrors, Problem
from assessments.domain.texts import Text
from assessments.domain.yaml_nodes import Document, Mapping, line_of, quoted

INDEX_FILE = "matrix.yaml"
CONTROLS_FILE = "nist_controls.yaml"
MOST_CYCLES = 20
_CONTROL = re.compile(r"([A-Z]{2}-[1-9]\d?)(\([1-9]\d?\))?")
_EVIDENCE = frozenset(kind.value for kind in EvidenceKind)


@dataclass(slots=True)
class _Index:
    """What `matrix.yaml` says, with the nodes that later checks need."""

    entry: Mapping
    version: str = ""
    levels: tuple[LevelRule, ...] = ()
    reading: tuple[Text, ...] = ()
    evidence: tuple[EvidenceRule, ...] = ()
    quick_scan: tuple[str, ...] = ()
    swaps: dict[str, str] = field(default_factory=dict)
    core: dict[str, bool] = field(default_factory=dict)


def read_folder(folder: Path) -> dict[str, str]:
    """The `*.yaml` texts of a matrix version, by file name.

    Raises MatrixErrors where a file is too large or cannot be read as UTF-8.
    """
    documents: dict[str, str] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            with path.open(encoding="utf-8") as file:
                # One character more than is allowed shows that a file is too large, however endless it is.
                text = file.read(nodes.MAX_BYTES + 1)
            if len(text) > nodes.MAX_BYTES:
                problems.append(Problem(path.name, 0, "yaml.size", f"larger than {nodes.MAX_BYTES} bytes"))
            else:
                documents[path.name] = text
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            problems.append(Problem(path.name, 0, "file.unreadable", str(reason)))
    if problems:
        raise MatrixErrors(problems)
    return documents


@lru_cache(maxsize=1)
def _our_controls() -> str:
    return (Path(__file__).parents[1] / "matrix" / CONTROLS_FILE).read_text(encoding="utf-8")


def load_folder(folder: Path) -> Matrix:
    """The matrix of a folder such as `assessments/matrix/v2_3`. Raises MatrixErrors with every problem."""
    return load_documents(read_folder(folder))


def load_documents(documents: Texts[str, str]) -> Matrix:
    """The matrix of a set of files (name to YAML text): the index and one file per dimension.

    The list of NIST controls is ours unless the set brings its own. Raises MatrixErrors with every problem:
    files that lack, files nobody knows, and all that is in them.
    """
    problems: list[Problem] = []
    if CONTROLS_FILE not in documents:
        documents = {**documents, CONTROLS_FILE: _our_controls()}
    expected = {INDEX_FILE, CONTROLS_FILE, *FILES.values()}
    for name in sorted(expected - set(documents)):
        problems.append(Problem(name, 0, "file.missing", "the file is missing"))
    for name in sorted(set(documents) - expected):
        problems.append(Problem(name, 0, "file.unknown", "a matrix has no such file"))

    opened = {name: Document(name) for name in expected if name in documents}
    roots = {name: nodes.compose(each, documents[name]) for name, each in opened.items()}
    index = _index(opened.get(INDEX_FILE), roots.get(INDEX_FILE))
    controls = _controls(opened.get(CONTROLS_FILE), roots.get(CONTROLS_FILE))
    placed: list[PlacedPractice] = []
    for dimension, name in FILES.items():
        root = roots.get(name)
        if root is not None:
            placed.extend(read_practices(opened[name], root, dimension))

    readable = all(root is not None for root in roots.values()) and len(roots) == len(expected)
    _check_ids(placed, index, readable=readable)
    _check_needs(placed, index)
    _check_controls(placed, controls)
    problems.extend(each for document in opened.values() for each in document.problems)
    for name, root in roots.items():
        if root is None and not opened[name].problems:
            problems.append(Problem(name, 0, "yaml.empty", "the file is empty"))
    if problems or index is None:
        raise MatrixErrors(problems)
    return _matrix(index, [each.practice for each in placed], controls)


def _matrix(index: _Index, practices: list[Practice], controls: dict[str, str]) -> Matrix:
    position = {name: place for place, name in enumerate(index.core)}
    ordered = tuple(sorted(practices, key=lambda each: position[each.id]))
    return Matrix(
        version=index.version,
        sha256=_digest(index, ordered),
        practices=ordered,
        quick_scan=index.quick_scan,
        quick_swaps_train=index.swaps,
        level_scale=index.levels,
        reading=index.reading,
        evidence=index.evidence,
        controls=controls,
    )


def _used(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping without the keys that came with later formats, where they are empty.

    `tags` of a practice are older than those of a clause; only a clause has a `level` of its own.
    """
    found = dict(pairs)
    later = ["signals", "protocol", "also"]
    if "level" in found and "evidence" in found:
        later.append("tags")
    return {key: value for key, value in found.items() if key not in later or value}


def _digest(index: _Index, practices: tuple[Practice, ...]) -> str:
    """SHA-256 over canonical JSON of everything that is asked and how it counts.

    Comments, layout and the titles of controls do not change it; a word of a clause does.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, frozenset):
            return sorted(value)
        raise TypeError(type(value).__name__)

    content = {
        "version": index.version,
        "levels": [asdict(each) for each in index.levels],
        "evidence": [asdict(each) for each in index.evidence],
        "quick_scan": index.quick_scan,
        "quick_swaps_train": index.swaps,
        "practices": [asdict(each, dict_factory=_used) for each in practices],
    }
    if index.reading:  # younger than the first matrices, whose hashes stay
        content["reading"] = [asdict(each) for each in index.reading]
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=plain)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def _index(document: Document | None, root: Any) -> _Index | None:
    if document is None or root is None:
        return None
    top = Mapping.read(document, root, "file")
    index = _Index(top)
    index.version = nodes.string(document, top.required("version"), "version")
    index.levels = _levels(document, top)
    index.reading = tuple(
        nodes.text(document, each, "reading")
        for each in nodes.items(document, top.optional("reading"), "reading")
    )
    index.evidence = _evidence(document, top)
    for node in nodes.items(document, top.required("practices"), "practices"):
        entry = Mapping.read(document, node, "practice")
        name = nodes.string(document, entry.required("id"), "id")
        core = nodes.boolean(document, entry.required("core"), f"{name}: core")
        entry.finish()
        if name in index.core:
            entry.report("practice.duplicate", f"{name} is listed more than once", "id")
        elif name and not PRACTICE_ID.fullmatch(name):
            entry.report("practice.id", f"{quoted(name)} is no practice id such as REL-04", "id")
        elif name:
            index.core[name] = core
    index.quick_scan = nodes.strings(document, top.required("quick_scan"), "quick_scan")
    _check_quick_scan(index)
    swaps = top.required("quick_swaps_train")
    if swaps is not None:
        _swaps(document, index, Mapping.read(document, swaps, "quick_swaps_train"))
    top.finish()
    return index


def _check_quick_scan(index: _Index) -> None:
    core = {name for name, is_core in index.core.items() if is_core}
    for name in sorted(set(index.quick_scan) ^ core):
        place = (
            "is in the quick scan but not core"
            if name in index.quick_scan
            else "is core but not in the quick scan"
        )
        index.entry.report("core.mismatch", f"{name} {place}", "quick_scan")


def _swaps(document: Document, index: _Index, entry: Mapping) -> None:
    for name in sorted(entry.values):
        other = nodes.string(document, entry.optional(name), f"swap of {name}")
        if name not in index.quick_scan:
            entry.report("quick.swap", f"{quoted(name)} is not in the quick scan", name)
        elif other not in index.core or other in index.quick_scan or other in index.swaps.values():
            message = f"{name} is swapped for {quoted(other)}: unknown, or already in the quick scan"
            entry.report("quick.swap", message, name)
        elif other.partition("-")[0] != name.partition("-")[0]:
            entry.report("quick.swap", f"{name} is swapped for {other} of another dimension", name)
        else:
            index.swaps[name] = other


def _levels(document: Document, top: Mapping) -> tuple[LevelRule, ...]:
    found = []
    node = top.required("levels")
    for each in nodes.items(document, node, "levels"):
        entry = Mapping.read(document, each, "level")
        level = nodes.integer(document, entry.required("level"), "level", 0, HIGHEST_LEVEL)
        name = nodes.text(document, entry.required("name"), "level name")
        rule = nodes.text(document, entry.required("rule"), "level rule")
        proof = nodes.choice(document, entry.optional("proof"), "level proof", _EVIDENCE)
        entry.finish()
        if level is not None:
            found.append(LevelRule(level, name, rule, EvidenceKind(proof) if proof else None))
    if node is not None and [each.level for each in found] != list(range(HIGHEST_LEVEL + 1)):
        document.report(line_of(node), "levels.steps", "levels must be 0 to 5, each one time, in order")
    return tuple(found)


def _evidence(document: Document, top: Mapping) -> tuple[EvidenceRule, ...]:
    """The evidence table. Scoring uses the numbers of `evidence.py`; a table that differs would lie."""
    found = []
    node = top.required("evidence")
    for each in nodes.items(document, node, "evidence"):
        entry = Mapping.read(document, each, "evidence")
        kind = nodes.choice(document, entry.required("kind"), "evidence kind", _EVIDENCE)
        name = nodes.text(document, entry.required("name"), "evidence name")
        ceiling = nodes.integer(document, entry.required("ceiling"), "ceiling", 0, HIGHEST_LEVEL)
        days_node = entry.required("days")
        endless = nodes.is_null(days_node)
        days = None if endless else nodes.integer(document, days_node, "days", 1, 3650)
        entry.finish()
        if not kind or ceiling is None or (days is None and not endless):
            continue
        rule = EvidenceRule(EvidenceKind(kind), name, ceiling, days)
        if (rule.ceiling, rule.days) != (CEILINGS[rule.kind], EXPIRY_DAYS[rule.kind]):
            expected = f"ceiling {CEILINGS[rule.kind]}, days {EXPIRY_DAYS[rule.kind]}"
            entry.report("evidence.rule", f"{kind}: scoring counts {expected}", "ceiling")
        found.append(rule)
    if node is not None and [each.kind for each in found] != list(EvidenceKind):
        document.report(
            line_of(node), "evidence.kinds", "evidence must list E0 to E5, each one time, in order"
        )
    return tuple(found)


def _controls(document: Document | None, root: Any) -> dict[str, str]:
    if document is None or root is None:
        return {}
    top = Mapping.read(document, root, "file")
    nodes.string(document, top.required("source"), "source")
    listed = top.required("controls")
    found: dict[str, str] = {}
    if listed is not None:
        entry = Mapping.read(document, listed, "controls")
        for name in entry.values:
            found[name] = nodes.string(document, entry.optional(name), f"title of {quoted(name)}")
            if not _CONTROL.fullmatch(name):
                entry.report("nist.syntax", f"{quoted(name)} is no control id such as CP-2 or CP-2(8)", name)
    top.finish()
    return found


def _check_ids(placed: list[PlacedPractice], index: _Index | None, *, readable: bool) -> None:
    """Every practice exactly once, all of the index and no other, core as the index says."""
    seen: set[str] = set()
    for each in placed:
        name = each.practice.id
        if name in seen:
            each.report("practice.duplicate", "defined more than once", "id")
        seen.add(name)
        if index is None:
            continue
        if name not in index.core:
            each.report("practice.unknown", "not in the index of the matrix", "id")
        elif "core" in each.entry.values and each.practice.core != index.core[name]:
            each.report("core.mismatch", f"the index says core: {str(index.core[name]).lower()}", "core")
        elif "core" not in each.entry.values and index.core[name]:
            each.report("core.mismatch", "the index says core: true, the practice does not", "id")
    if index is not None and readable:
        for name in sorted(set(index.core) - seen):
            index.entry.report("practice.missing", f"{name} is in no practice file", "practices")


def _check_needs(placed: list[PlacedPractice], index: _Index | None) -> None:
    """Every prerequisite exists (in the index at least) and no chain of them leads back to its start."""
    known = {each.practice.id for each in placed} | (set(index.core) if index else set())
    for each in placed:
        for need in each.practice.needs:
            if need.practice not in known and index is not None:
                each.report("needs.unknown", f"needs {quoted(need.practice)}, which does not exist", "needs")
    by_id = {each.practice.id: each for each in placed}
    graph = {name: [need.practice for need in each.practice.needs] for name, each in by_id.items()}
    for cycle in find_cycles(graph):
        by_id[cycle[0]].report("needs.cycle", "needs itself: " + " → ".join([*cycle, cycle[0]]), "needs")


def find_cycles(graph: dict[str, list[str]]) -> list[list[str]]:
    """One cycle per knot of the graph, each from its smallest member on; empty where there is none.

    At most 20: in a dense knot they would be more than anybody reads.

    Depth-first with an explicit path, so a long chain cannot exhaust the stack.
    """
    done: set[str] = set()
    cycles: dict[tuple[str, ...], None] = {}
    for start in sorted(graph):
        path: list[str] = []
        work: list[tuple[str, bool]] = [(start, False)]
        while work:
            name, leaving = work.pop()
            if leaving:
                path.pop()
                done.add(name)
            elif name in path:
                cycle = path[path.index(name) :]
                turn = cycle.index(min(cycle))
                cycles[(*cycle[turn:], *cycle[:turn])] = None
                if len(cycles) >= MOST_CYCLES:
                    return [list(each) for each in cycles]
            elif name in graph and name not in done:
                path.append(name)
                work.append((name, True))
                work.extend((other, False) for other in sorted(graph[name], reverse=True))
    return [list(each) for each in cycles]


def _check_controls(placed: list[PlacedPractice], controls: dict[str, str]) -> None:
    """Ids are well formed and their base control is known; enhancements are checked by form only."""
    for each in placed:
        for name in each.practice.nist:
            match = _CONTROL.fullmatch(name)
            if match is None:
                each.report("nist.syntax", f"{quoted(name)} is no control id such as CP-2 or CP-2(8)", "nist")
            elif controls and match.group(1) not in controls:
                each.report("nist.unknown", f"{match.group(1)} is not in the list of controls", "nist")
