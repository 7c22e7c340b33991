"""What differs between two versions of a matrix: practices, texts, clauses, weights, needs, targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from assessments.domain.matrix import Clause, KpiTarget, Matrix, Practice
from assessments.domain.texts import Text

# Single texts of a practice; lists of texts are compared entry by entry.
_TEXTS = ("title", "question", "why")
_LISTS = ("proof", "rulings")
# What else a practice says; shown as it is.
_FIELDS = (
    "core",
    "worded",
    "ask",
    "kinds",
    "tags",
    "nist",
    "xref",
    "tension",
    "effort",
    "answers_by",
    "signals",
)


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text (`title`, `ruling 2`, `kpi formula`) before and after; None where it is new or gone."""

    part: str
    before: Text | None
    after: Text | None


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """A clause before and after; `kind` is `added`, `removed`, `reworded`, `renamed` or `changed`.

    `renamed`: the same words under another id. `changed`: the same words and id with another level, kind of
    evidence or tags.
    """

    kind: str
    before: Clause | None
    after: Clause | None

    @property
    def id(self) -> str:
        """The id after the change, or before it where the clause is gone."""
        found = self.after or self.before
        return found.id if found else ""


@dataclass(frozen=True, slots=True)
class TargetChange:
    """A KPI target of a level before and after."""

    level: int
    before: KpiTarget | None
    after: KpiTarget | None


@dataclass(frozen=True, slots=True)
class NeedChange:
    """A prerequisite with the level needed before and after; None where it is new or gone."""

    practice: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class FieldChange:
    """Another field of a practice or of the matrix, before and after."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class PracticeChange:
    """Everything that differs in a practice that both versions have."""

    before: Practice
    after: Practice
    texts: tuple[TextChange, ...]
    clauses: tuple[ClauseChange, ...]
    weight: tuple[float, float] | None
    needs: tuple[NeedChange, ...]
    targets: tuple[TargetChange, ...]
    fields: tuple[FieldChange, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        parts = (self.texts, self.clauses, self.needs, self.targets, self.fields)
        return not any(parts) and self.weight is None


@dataclass(frozen=True, slots=True)
class MatrixDiff:
    """From one version to another. `fields` are those of the matrix: levels, evidence, quick scan, order."""

    before: Matrix
    after: Matrix
    added: tuple[Practice, ...]
    removed: tuple[Practice, ...]
    changed: tuple[PracticeChange, ...]
    fields: tuple[FieldChange, ...]

    @property
    def empty(self) -> bool:
        """Whether the two ask the same and count it the same; the version's name does not matter."""
        return not (self.added or self.removed or self.changed or self.fields)

    @property
    def same(self) -> int:
        """How many practices are in both and alike."""
        return len(self.after.practices) - len(self.added) - len(self.changed)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, with texts in both languages."""
        return {
            "before": {"version": self.before.version, "sha256": self.before.sha256},
            "after": {"version": self.after.version, "sha256": self.after.sha256},
            "same": self.same,
            "added": [_headline(each) for each in self.added],
            "removed": [_headline(each) for each in self.removed],
            "changed": [_changed(each) for each in self.changed],
            "matrix": [
                {"field": each.name, "before": _plain(each.before), "after": _plain(each.after)}
                for each in self.fields
            ],
        }


def diff(before: Matrix, after: Matrix) -> MatrixDiff:
    """What differs from `before` to `after`. Practices are told apart by id, clauses by words first."""
    both = [each for each in after.practices if each.id in before]
    changes = [diff_practice(before.practice(each.id), each) for each in both]
    return MatrixDiff(
        before=before,
        after=after,
        added=tuple(each for each in after.practices if each.id not in before),
        removed=tuple(each for each in before.practices if each.id not in after),
        changed=tuple(each for each in changes if not each.empty),
        fields=tuple(_matrix_fields(before, after)),
    )


def diff_practice(before: Practice, after: Practice) -> PracticeChange:
    """What differs in one practice."""
    return PracticeChange(
        before=before,
        after=after,
        texts=tuple(_texts(before, after)),
        clauses=tuple(diff_clauses(before.clauses, after.clauses)),
        weight=None if before.weight == after.weight else (before.weight, after.weight),
        needs=tuple(_needs(before, after)),
        targets=tuple(_targets(before, after)),
        fields=tuple(_fields(before, after)),
    )


def _fields(before: Practice, after: Practice) -> Iterator[FieldChange]:
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in _FIELDS}
    for name in ("unit", "better"):
        pairs[f"kpi {name}"] = (getattr(before.kpi, name, None), getattr(after.kpi, name, None))
    for name, (one, other) in pairs.items():
        if one != other:
            yield FieldChange(name, one, other)


def match_clauses(before: Iterable[Clause], after: Iterable[Clause]) -> dict[str, str]:
    """Old clause id to new clause id: the same words first (same id before another), then the same id.

    The id is compared without its practice, so clauses of a renamed practice find each other.
    """
    old, new = list(before), list(after)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for same_place in (True, False):
        for each in old:
            for other in new:
                alike = each.text == other.text and (not same_place or _local(each) == _local(other))
                if alike and each.id not in found and other.id not in taken:
                    found[each.id] = other.id
                    taken.add(other.id)
    by_place = {_local(each): each for each in new}
    for each in old:
        candidate = by_place.get(_local(each))
        if each.id not in found and candidate is not None and candidate.id not in taken:
            found[each.id] = candidate.id
            taken.add(candidate.id)
    return found


def _local(clause: Clause) -> str:
    """`REL-04.L3.b` without its practice: `L3.b`."""
    return clause.id.partition(".")[2]


def diff_clauses(before: Iterable[Clause], after: Iterable[Clause]) -> Iterator[ClauseChange]:
    """The changes in the order of the new clauses, then what is gone."""
    old, new = list(before), list(after)
    partner = {new_id: old_id for old_id, new_id in match_clauses(old, new).items()}
    by_id = {each.id: each for each in old}
    for each in new:
        if each.id not in partner:
            yield ClauseChange("added", None, each)
            continue
        was = by_id[partner[each.id]]
        if was.text != each.text:
            yield ClauseChange("reworded", was, each)
        elif was.id != each.id:
            yield ClauseChange("renamed", was, each)
        elif was != each:
            yield ClauseChange("changed", was, each)
    for each in old:
        if each.id not in partner.values():
            yield ClauseChange("removed", each, None)


def _texts(before: Practice, after: Practice) -> Iterator[TextChange]:
    pairs: dict[str, tuple[Text | None, Text | None]] = {
        name: (getattr(before, name), getattr(after, name)) for name in _TEXTS
    }
    for name in _LISTS:
        old, new = getattr(before, name), getattr(after, name)
        for nth in range(max(len(old), len(new))):
            pairs[f"{name} {nth + 1}"] = (
                old[nth] if nth < len(old) else None,
                new[nth] if nth < len(new) else None,
            )
    for name in ("name", "formula"):
        pairs[f"kpi {name}"] = (getattr(before.kpi, name, None), getattr(after.kpi, name, None))
    for part, (one, other) in pairs.items():
        if one != other:
            yield TextChange(part, one, other)


def _needs(before: Practice, after: Practice) -> Iterator[NeedChange]:
    old = {each.practice: each.level for each in before.needs}
    new = {each.practice: each.level for each in after.needs}
    for name in dict.fromkeys([*new, *old]):
        if old.get(name) != new.get(name):
            yield NeedChange(name, old.get(name), new.get(name))


def _targets(before: Practice, after: Practice) -> Iterator[TargetChange]:
    old = {each.level: each for each in before.kpi.targets} if before.kpi else {}
    new = {each.level: each for each in after.kpi.targets} if after.kpi else {}
    for level in sorted({*old, *new}):
        if old.get(level) != new.get(level):
            yield TargetChange(level, old.get(level), new.get(level))


def _matrix_fields(before: Matrix, after: Matrix) -> Iterator[FieldChange]:
    fields = {
        "levels": (before.level_scale, after.level_scale),
        "reading": (before.reading, after.reading),
        "evidence": (before.evidence, after.evidence),
        "quick_scan": (before.quick_scan, after.quick_scan),
        "quick_swaps_train": (before.quick_swaps_train, after.quick_swaps_train),
    }
    old = [each.id for each in before.practices if each.id in after]
    new = [each.id for each in after.practices if each.id in before]
    fields["order"] = (tuple(old), tuple(new))
    for name, (one, other) in fields.items():
        if one != other:
            yield FieldChange(name, one, other)


# -- JSON -------------------------------------------------------------------------------------------------


def _headline(practice: Practice) -> dict[str, Any]:
    return {"id": practice.id, "title": _plain(practice.title), "clauses": len(practice.clauses)}


def _changed(each: PracticeChange) -> dict[str, Any]:
    return {
        "id": each.after.id,
        "title": _plain(each.after.title),
        "texts": [
            {"part": one.part, "before": _plain(one.before), "after": _plain(one.after)} for one in each.texts
        ],
        "clauses": [
            {"kind": one.kind, "id": one.id, "before": _plain(one.before), "after": _plain(one.after)}
            for one in each.clauses
        ],
        "weight": None if each.weight is None else {"before": each.weight[0], "after": each.weight[1]},
        "needs": [{"practice": one.practice, "before": one.before, "after": one.after} for one in each.needs],
        "targets": [
            {"level": one.level, "before": _plain(one.before), "after": _plain(one.after)}
            for one in each.targets
        ],
        "fields": [
            {"field": one.name, "before": _plain(one.before), "after": _plain(one.after)}
            for one in each.fields
        ],
    }


def _plain(value: Any) -> Any:
    """Values of the matrix as JSON: sets become sorted lists, classes mappings of their fields."""
    if isinstance(value, frozenset | set):
        return sorted(str(each) for each in value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return value
