"""Two scorecards side by side: differences, how the levels are distributed, and whether they may be compared.

A dimension is a census of its practices, not a sample, so no interval is computed over practices. With one
respondent per answer there is no interval at all, and no rank. The Kolmogorov-Smirnov test describes how the
levels are distributed over the practices that both sides answered. Its unit of exchange is the practice: a
relabeling swaps the two levels of a practice. Below 6 shared practices no swap could be told from chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from assessments.domain.dimensions import Dimension
from assessments.domain.scorecard import ONE_RESPONDENT, Scorecard
from portal.stats.compare import compare_levels
from portal.stats.multiplicity import holm

ALPHA = 0.05
MOST_DAYS_APART = 90
LEAST_PRACTICES = 2


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared: the JSON of a scorecard, live or frozen in a milestone, and its label."""

    label: str
    card: Mapping[str, Any]

    def level(self, practice: str) -> int | None:
        """The current level of a practice; None where it is not answered."""
        entry = self.card["practices"].get(practice)
        value = entry["current"] if entry else None
        return None if value is None else int(value)

    def state(self, practice: str) -> str:
        """answered, na, unsure, unanswered, or hidden where the side does not ask it."""
        entry = self.card["practices"].get(practice)
        return str(entry["state"]) if entry else "hidden"

    def score(self, dimension: Dimension) -> float | None:
        """The current score of a dimension; None where there are too few answers."""
        value = self.card["dimensions"][dimension.value]["score"]
        return None if value is None else float(value)

    @property
    def overall(self) -> float | None:
        """The current overall score."""
        value = self.card["overall"]["score"]
        return None if value is None else float(value)

    @property
    def as_of(self) -> datetime:
        """The moment the card speaks for."""
        return datetime.fromisoformat(str(self.card["as_of"]).replace("Z", "+00:00"))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a comparison needs care: a code and the two values. `blocking` ones forbid the comparison."""

    code: str
    a: str
    b: str
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One dimension (None = overall): both scores, a - b, and the test over the shared practices.

    `statistic` is D, `p_value` its exact conditional p, `adjusted` after Holm over the dimensions; None
    where fewer than 6 practices are answered on both sides.
    """

    dimension: Dimension | None
    a: float | None
    b: float | None
    difference: float | None
    delta: float | None
    statistic: float | None
    p_value: float | None
    adjusted: float | None
    method: str | None
    shared: int
    interval: tuple[float, float] | None = None
    interval_reason: str = ONE_RESPONDENT
    alpha: float = ALPHA

    @property
    def clear(self) -> bool:
        """Whether the distributions differ at `alpha` after Holm; never a rank."""
        return self.adjusted is not None and self.adjusted <= self.alpha


@dataclass(frozen=True, slots=True)
class PracticePair:
    """One practice on both sides."""

    practice: str
    a: int | None
    b: int | None
    state_a: str
    state_b: str

    @property
    def gap(self) -> int:
        """How far apart the levels are; 0 where one is not known."""
        return abs(self.a - self.b) if self.a is not None and self.b is not None else 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole comparison. `refused` names the blocking mismatch; then there are no differences."""

    a: Side
    b: Side
    mismatches: tuple[Mismatch, ...]
    refused: str | None
    overall: Difference | None
    dimensions: tuple[Difference, ...]
    practices: tuple[PracticePair, ...]

    def as_dict(self) -> dict[str, Any]:
        """The JSON of the API."""
        return {
            "a": self.a.label,
            "b": self.b.label,
            "refused": self.refused,
            "mismatches": [
                {"code": each.code, "a": each.a, "b": each.b, "blocking": each.blocking}
                for each in self.mismatches
            ],
            "overall": _as_dict(self.overall) if self.overall else None,
            "dimensions": {
                each.dimension.value: _as_dict(each) for each in self.dimensions if each.dimension
            },
            "practices": {each.practice: {"a": each.a, "b": each.b} for each in self.practices},
        }


def _as_dict(each: Difference) -> dict[str, Any]:
    return {
        "a": each.a,
        "b": each.b,
        "difference": None if each.difference is None else round(each.difference, 4),
        "interval": each.interval,
        "interval_reason": each.interval_reason,
        "cliffs_delta": each.delta,
        "ks": None
        if each.statistic is None
        else {
            "statistic": each.statistic,
            "p_value": each.p_value,
            "p_holm": each.adjusted,
            "method": each.method,
            "unit": "practice",
        },
        "n": each.shared,
    }


def compare_cards(
    a: Scorecard, b: Scorecard, *, alpha: float = ALPHA, labels: tuple[str, str] = ("a", "b")
) -> Comparison:
    """Compare two live scorecards; see `compare_sides`."""
    return compare_sides(Side(labels[0], a.as_dict()), Side(labels[1], b.as_dict()), alpha=alpha)


def compare_sides(a: Side, b: Side, *, alpha: float = ALPHA) -> Comparison:
    """Differences a - b per dimension, largest first, with Holm over the dimensions that have a test.

    Refused (blocking mismatch) where the matrix or the scope differ: then the numbers mean different things.
    Raises ValueError where `alpha` is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha {alpha} is not between 0 and 1")
    mismatches = tuple(_mismatches(a, b))
    blocking = next((each.code for each in mismatches if each.blocking), None)
    names = list(dict.fromkeys([*a.card["practices"], *b.card["practices"]]))
    pairs = tuple(
        PracticePair(each, a.level(each), b.level(each), a.state(each), b.state(each)) for each in names
    )
    if blocking:
        return Comparison(a, b, mismatches, blocking, None, (), pairs)
    rows = _with_holm([_difference(dimension, a, b, pairs) for dimension in Dimension])
    ordered = [
        replace(each, alpha=alpha) for each in sorted(rows, key=lambda row: -abs(row.difference or 0.0))
    ]
    overall = replace(_overall(a, b, pairs), alpha=alpha)
    return Comparison(a, b, mismatches, None, overall, tuple(ordered), pairs)


def _difference(dimension: Dimension, a: Side, b: Side, pairs: tuple[PracticePair, ...]) -> Difference:
    shared = [each for each in pairs if each.practice.split("-")[0] == dimension.value]
    return _tested(dimension, a.score(dimension), b.score(dimension), shared)


def _overall(a: Side, b: Side, pairs: tuple[PracticePair, ...]) -> Difference:
    return _tested(None, a.overall, b.overall, pairs)


def _tested(dimension: Dimension | None, a: float | None, b: float | None, pairs: Any) -> Difference:
    left = {each.practice: float(each.a) for each in pairs if each.a is not None and each.b is not None}
    right = {key: float(each.b) for each in pairs if (key := each.practice) in left and each.b is not None}
    difference = a - b if a is not None and b is not None else None
    if len(left) < LEAST_PRACTICES:
        return Difference(dimension, a, b, difference, None, None, None, None, None, len(left))
    # The same function as the `compare` command: one number everywhere.
    found = compare_levels(left, right)
    test = found.ks
    return Difference(
        dimension=dimension,
        a=a,
        b=b,
        difference=difference,
        delta=found.cliffs_delta,
        statistic=test.statistic if test else None,
        p_value=test.p_value if test else None,
        adjusted=test.p_value if test and dimension is None else None,
        method=test.method if test else None,
        shared=len(left),
    )


def _with_holm(rows: list[Difference]) -> list[Difference]:
    """Fill `adjusted` over all dimensions that have a p-value."""
    tested = [index for index, row in enumerate(rows) if row.p_value is not None]
    adjusted = holm([rows[index].p_value or 0.0 for index in tested]) if tested else ()
    filled = list(rows)
    for index, value in zip(tested, adjusted, strict=True):
        filled[index] = replace(rows[index], adjusted=value)
    return filled


def _mismatches(a: Side, b: Side) -> list[Mismatch]:
    """Everything that makes the two cards unlike, blocking ones first."""
    found = []
    for code, key, blocking in (
        ("matrix", "matrix", True),
        ("scope", "scope", True),
        ("profile", "profile", False),
    ):
        left, right = a.card.get(key), b.card.get(key)
        if left != right:
            found.append(Mismatch(code, _say(left), _say(right), blocking))
    apart = abs(a.as_of - b.as_of)
    if apart > timedelta(days=MOST_DAYS_APART):
        found.append(Mismatch("time", a.as_of.date().isoformat(), b.as_of.date().isoformat()))
    return found


def _say(value: Any) -> str:
    if isinstance(value, Mapping) and "sha256" in value:
        return f"V{value['version']} {str(value['sha256'])[:12]}"
    if isinstance(value, Mapping):
        return " + ".join([*value.get("kinds", ()), *value.get("tags", ())])
    return str(value)
