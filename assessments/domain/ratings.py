"""How far raters of the same facts agree: their answers side by side, per practice and clause."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assessments.domain.answers import Answer, parse_answers
from assessments.domain.json_values import Field, Reader
from assessments.domain.matrix import HIGHEST_LEVEL, Matrix, Profile
from assessments.domain.problems import AnswerErrors
from assessments.domain.profiles import parse_profile
from assessments.domain.scoring import claimed_level, is_answered
from portal.stats.agreement import Agreement, agreement, weighted_kappa

# A practice on which fewer pairs of raters give the same level is worded anew.
LEAST_EXACT = 0.6
MAX_NAME = 100


@dataclass(frozen=True, slots=True)
class Rating:
    """One rater's answers to one dossier (the description of one cluster)."""

    rater: str
    dossier: str
    answers: tuple[Answer, ...]
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class PracticeAgreement:
    """One practice over all dossiers: what each rater gave, and which clauses they saw differently.

    `levels` maps dossier to rater to level (None: not applicable, absent: no answer or don't know). `exact`
    and `near` are shares of the pairs, None where no two raters answered. `clauses` maps dossier to the
    clauses that some ticked and some did not, each with those who ticked it.
    """

    practice: str
    levels: dict[str, dict[str, int | None]]
    pairs: int
    exact: float | None
    near: float | None
    clauses: dict[str, dict[str, list[str]]]

    @property
    def reword(self) -> bool:
        """Whether the raters agree too rarely for the wording to stand."""
        return self.exact is not None and self.exact < LEAST_EXACT

    def as_dict(self) -> dict[str, Any]:
        """JSON shape."""
        return {
            "levels": self.levels,
            "pairs": self.pairs,
            "exact": self.exact,
            "within_one": self.near,
            "reword": self.reword,
            "clauses": self.clauses,
        }


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """All raters over all dossiers. `overall` is over levels; `state_pairs` are pairs of which exactly one
    says "not applicable": they count as not exact and not near in `exact` and `near` here.

    `ticks_kappa` is Cohen's kappa over single clauses, ticked or not (the mean over pairs of raters), of
    `clauses` clauses; `ticks_exact` the share of equal pairs. It sees what levels hide: one clause that is
    not met keeps a level down whatever else is ticked.
    """

    raters: tuple[str, ...]
    dossiers: tuple[str, ...]
    overall: Agreement
    exact: float | None
    near: float | None
    pairs: int
    state_pairs: int
    practices: dict[str, PracticeAgreement]
    clauses: int = 0
    ticks_kappa: float | None = None
    ticks_exact: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of the `agreement` command."""
        levels = self.overall
        return {
            "raters": list(self.raters),
            "dossiers": list(self.dossiers),
            "units": levels.units,
            "pairs": self.pairs,
            "quadratic_kappa": levels.kappa,
            "quadratic_kappa_interval": levels.kappa_interval,
            "gwet_ac2": levels.ac2,
            "gwet_ac2_interval": levels.ac2_interval,
            "exact": self.exact,
            "within_one": self.near,
            "applicability_disputed": self.state_pairs,
            "clauses": {"units": self.clauses, "kappa": self.ticks_kappa, "exact": self.ticks_exact},
            "reword": [name for name, each in self.practices.items() if each.reword],
            "practices": {name: each.as_dict() for name, each in self.practices.items()},
        }


def parse_rating(raw: object, matrix: Matrix, *, name: str) -> Rating:
    """A rating from a JSON list of answers, or `{rater, dossier, profile, answers}`.

    A bare list is of the rater `name`; `dossier` is then empty. Raises AnswerErrors with every problem.
    """
    if isinstance(raw, list):
        return Rating(name, "", parse_answers(raw, matrix))
    reader = Reader()
    entry = reader.mapping(Field("file", raw), ("rater", "dossier", "profile", "answers"))
    if entry is None:
        raise AnswerErrors(reader.problems)
    rater = reader.string(entry["rater"], MAX_NAME) or name
    dossier = reader.string(entry["dossier"], MAX_NAME) or ""
    problems = list(reader.problems)
    profile: Profile | None = None
    answers: tuple[Answer, ...] = ()
    try:
        if entry["profile"].value is not None:
            profile, _scope = parse_profile(entry["profile"].value)
    except AnswerErrors as error:
        problems.extend(error.problems)
    try:
        answers = parse_answers(entry["answers"].value, matrix)
    except AnswerErrors as error:
        problems.extend(error.problems)
    if problems:
        raise AnswerErrors(problems)
    return Rating(rater, dossier, answers, profile)


def compare_ratings(
    matrix: Matrix, ratings: Sequence[Rating], *, resamples: int = 2000, seed: int = 0
) -> RaterAgreement:
    """Agreement of at least 2 raters. Raises ValueError for fewer, and for two ratings of the same dossier
    by the same rater."""
    raters = tuple(dict.fromkeys(each.rater for each in ratings))
    dossiers = tuple(dict.fromkeys(each.dossier for each in ratings))
    if len(raters) < 2:
        raise ValueError("agreement needs at least 2 raters")
    by_place = {(each.dossier, each.rater): each for each in ratings}
    if len(by_place) != len(ratings):
        raise ValueError("a rater rated the same dossier twice")
    given = {place: _levels(matrix, each) for place, each in by_place.items()}
    table: list[list[float]] = []
    practices: dict[str, PracticeAgreement] = {}
    for practice in matrix.practices:
        rows = {
            dossier: {
                rater: given[dossier, rater][practice.id]
                for rater in raters
                if (dossier, rater) in given and practice.id in given[dossier, rater]
            }
            for dossier in dossiers
        }
        table.extend(
            [_number(row.get(rater)) if rater in row else math.nan for rater in raters]
            for row in rows.values()
        )
        practices[practice.id] = _practice(practice.id, rows, by_place)
    found = agreement(table, HIGHEST_LEVEL + 1, resamples=resamples, seed=seed)
    pairs = [pair for each in practices.values() for pair in _pairs(each.levels)]
    exact, near = _shares(pairs)
    disputed = sum((one is None) != (two is None) for one, two in pairs)
    return RaterAgreement(
        raters,
        dossiers,
        found,
        exact,
        near,
        len(pairs),
        disputed,
        practices,
        *_ticks(matrix, by_place, raters),
    )


def _ticks(
    matrix: Matrix, by_place: Mapping[tuple[str, str], Rating], raters: Sequence[str]
) -> tuple[int, float | None, float | None]:
    """Clauses that two raters or more judged, kappa of ticked or not, and the share of equal pairs."""
    judged: dict[tuple[str, str], dict[str, int]] = {}
    for (dossier, rater), rating in by_place.items():
        narrowed = matrix.narrowed(rating.profile)
        for answer in rating.answers:
            if answer.clauses is None or answer.na_reason is not None or answer.unsure:
                continue
            for clause in narrowed.practice(answer.practice).clauses:
                row = judged.setdefault((dossier, clause.id), {})
                row[rater] = int(clause.id in answer.clauses)
    rows = [row for row in judged.values() if len(row) > 1]
    if not rows:
        return 0, None, None
    kappa = weighted_kappa([[row.get(rater, math.nan) for rater in raters] for row in rows], 2)
    pairs = [pair for row in rows for pair in combinations(row.values(), 2)]
    exact = sum(one == two for one, two in pairs) / len(pairs)
    return len(rows), None if math.isnan(kappa) else kappa, exact


def _number(level: int | None) -> float:
    return math.nan if level is None else float(level)


def _levels(matrix: Matrix, rating: Rating) -> dict[str, int | None]:
    """Practice to level, None for not applicable; don't know and no answer are left out."""
    narrowed = matrix.narrowed(rating.profile)
    found: dict[str, int | None] = {}
    for answer in rating.answers:
        if answer.na_reason is not None:
            found[answer.practice] = None
        elif is_answered(answer):
            found[answer.practice] = claimed_level(narrowed.practice(answer.practice), answer)
    return found


def _practice(
    name: str,
    rows: dict[str, dict[str, int | None]],
    by_place: Mapping[tuple[str, str], Rating],
) -> PracticeAgreement:
    pairs = _pairs(rows)
    exact, near = _shares(pairs)
    clauses = {}
    for dossier in rows:
        ticked = {
            rater: answer.clauses
            for (place, rater), rating in by_place.items()
            if place == dossier
            for answer in rating.answers
            if answer.practice == name and answer.clauses is not None
        }
        split = {
            clause: sorted(rater for rater, ticks in ticked.items() if clause in ticks)
            for clause in sorted(frozenset().union(*ticked.values()))
            if any(clause not in ticks for ticks in ticked.values())
        }
        if split:
            clauses[dossier] = split
    shown = {dossier: row for dossier, row in rows.items() if row}
    return PracticeAgreement(name, shown, len(pairs), exact, near, clauses)


def _pairs(rows: Mapping[str, Mapping[str, int | None]]) -> list[tuple[int | None, int | None]]:
    return [pair for row in rows.values() for pair in combinations(row.values(), 2)]


def _shares(pairs: Sequence[tuple[int | None, int | None]]) -> tuple[float | None, float | None]:
    """Shares of pairs that are equal, and at most one level apart; one "not applicable" is neither."""
    if not pairs:
        return None, None
    exact = sum(one == two for one, two in pairs)
    near = sum(
        one == two or (one is not None and two is not None and abs(one - two) <= 1) for one, two in pairs
    )
    return exact / len(pairs), near / len(pairs)
