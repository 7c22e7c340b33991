"""The map of a migration: what people say about practices and clauses, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assessments.domain.json_values import shown
from assessments.domain.matrix import Matrix

MOST_ENTRIES = 5_000
MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True, order=True)
class MapProblem:
    """Something wrong with a map: place like `practices.REL-04`, code, sentence."""

    place: str
    code: str
    message: str

    def as_dict(self) -> dict[str, str]:
        """The JSON form."""
        return {"place": self.place, "code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class MigrationMap:
    """What differs from "the same id": old practice → new practices (none: dropped, several: split).

    Two old practices with the same new one are merged. `clauses`: old clause → new clause ("" = dropped).
    `confirmed`: old clause ids whose tick holds although the words differ, and old practice ids whose level
    or "not applicable" holds although the question differs.
    """

    practices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()

    def taken(self) -> frozenset[str]:
        """The new practices that the map names."""
        return frozenset(name for targets in self.practices.values() for name in targets)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form that `parse_map` reads."""
        return {
            "practices": {old: list(new) for old, new in sorted(self.practices.items())},
            "clauses": dict(sorted(self.clauses.items())),
            "confirmed": sorted(self.confirmed),
        }


def parse_map(raw: object) -> tuple[MigrationMap, tuple[MapProblem, ...]]:
    """A map from JSON, `{practices: {old: new | [new…] | null}, clauses: {old: new | null}, confirmed: […]}`.

    Keys may be absent. Never raises: what cannot be read is a problem and is left out.
    """
    problems: list[MapProblem] = []
    if not isinstance(raw, Mapping):
        return MigrationMap(), (MapProblem("map", "type", f"must be an object, not {shown(raw)}"),)
    for key in raw:
        if key not in ("practices", "clauses", "confirmed"):
            problems.append(MapProblem(shown(key), "unknown_key", "is no key of a map"))
    practices: dict[str, tuple[str, ...]] = {}
    for old, new in _object(raw, "practices", problems):
        targets = [] if new is None else [new] if isinstance(new, str) else new
        if not isinstance(targets, list) or not all(isinstance(each, str) for each in targets):
            message = f"must be a practice, a list of practices or null, not {shown(new)}"
            problems.append(MapProblem(f"practices.{shown(old)}", "type", message))
        else:
            practices[old] = tuple(dict.fromkeys(targets))
    clauses: dict[str, str] = {}
    for old, new in _object(raw, "clauses", problems):
        if new is not None and not isinstance(new, str):
            message = f"must be a clause or null, not {shown(new)}"
            problems.append(MapProblem(f"clauses.{shown(old)}", "type", message))
        else:
            clauses[old] = new or ""
    confirmed = raw.get("confirmed") or []
    if not isinstance(confirmed, list) or not all(isinstance(each, str) for each in confirmed):
        problems.append(MapProblem("confirmed", "type", "must be a list of clause or practice ids"))
        confirmed = []
    found = MigrationMap(practices, clauses, frozenset(confirmed))
    return found, tuple(problems[:MOST_PROBLEMS])


def _object(raw: Mapping[Any, Any], key: str, problems: list[MapProblem]) -> list[tuple[str, Any]]:
    value = raw.get(key)
    if value is None:
        return []
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value):
        problems.append(MapProblem(key, "type", f"must be an object, not {shown(value)}"))
        return []
    if len(value) > MOST_ENTRIES:
        problems.append(MapProblem(key, "size", f"has more than {MOST_ENTRIES} entries"))
        return []
    return list(value.items())


def check_map(
    wanted: MigrationMap, before: Matrix, after: Matrix
) -> tuple[MigrationMap, tuple[MapProblem, ...]]:
    """The entries of a map that both matrices know, and a problem for each of the others."""
    problems: list[MapProblem] = []

    def report(place: str, code: str, message: str) -> None:
        problems.append(MapProblem(place, code, message))

    practices: dict[str, tuple[str, ...]] = {}
    for old, targets in wanted.practices.items():
        place = f"practices.{shown(old)}"
        unknown = [each for each in targets if each not in after]
        if old not in before:
            report(place, "practice_unknown_old", "is no practice of the old matrix")
        elif unknown:
            report(place, "practice_unknown_new", f"{shown(unknown[0])} is no practice of the new matrix")
        else:
            practices[old] = targets
    old_clauses = {each.id: practice.id for practice in before.practices for each in practice.clauses}
    new_clauses = {each.id: practice.id for practice in after.practices for each in practice.clauses}
    clauses: dict[str, str] = {}
    for old, new in wanted.clauses.items():
        place = f"clauses.{shown(old)}"
        if old not in old_clauses:
            report(place, "clause_unknown_old", "is no clause of the old matrix")
            continue
        owner = old_clauses[old]
        default = (owner,) if owner in after else ()
        if new and new not in new_clauses:
            report(place, "clause_unknown_new", f"{shown(new)} is no clause of the new matrix")
        elif new and new_clauses[new] not in practices.get(owner, default):
            report(place, "clause_foreign", f"{new} belongs to no practice that {owner} goes to")
        else:
            clauses[old] = new
    known = set(old_clauses) | {each.id for each in before.practices}
    for each in sorted(wanted.confirmed - known):
        report(f"confirmed.{shown(each)}", "confirm_unknown", "is no clause or practice of the old matrix")
    usable = replace(wanted, practices=practices, clauses=clauses, confirmed=wanted.confirmed & known)
    return usable, tuple(problems[:MOST_PROBLEMS])
