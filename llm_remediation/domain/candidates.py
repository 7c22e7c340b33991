"""Candidates of a roadmap: one per practice and step, from the current level up to the target.

Why gains can be added: a step changes the current level of one answered practice and nothing else, so the
same practices stay answered and every denominator stays. The overall score is the mean over D scored
dimensions of a weighted mean of current levels,

    overall = sum over d of (1 / D) * sum over p in d of (w_p / W_d) * level_p,    W_d = sum of w_p in d,

which is linear in the levels. A step of practice p therefore adds w_p / (D * W_d), whatever else is in the
plan, and the score of a plan is the score of today plus the sum of its gains. A test compares both through
`score` to 1e-9. Gains are nevertheless taken from `score`, so that there is no second formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assessments.domain.matrix import HIGHEST_LEVEL, Need, Practice, Scope
from assessments.domain.scoring import PracticeScore
from llm_remediation.domain.effort import (
    Estimates,
    Rates,
    blast_radius,
    check_estimates,
    estimate_for,
)
from llm_remediation.domain.model import Candidate, ClosingMethod, ClosingTest, Work
from llm_remediation.domain.planned import Situation, proof_of
from llm_remediation.domain.refusals import BadPlanInput

_T = TypeVar("_T")

DEFAULT_TARGET = 3
# `needs` X >= n: a practice cannot pass level 2 until X has level n.
FREE_LEVELS = 2
TENSION_ABOVE = 3


def candidates(
    situation: Situation,
    *,
    targets: Mapping[str, int] | None = None,
    default_target: int = DEFAULT_TARGET,
    estimates: Estimates | None = None,
    rates: Rates | None = None,
    lab: bool = False,
) -> tuple[Candidate, ...]:
    """All candidates in the order of the matrix, with gains from `score` on the current view.

    `targets`: practice -> level (0 to 5) where it is not `default_target`. `estimates`: the organisation's
    own. `lab`: the cluster is a lab, which lowers the blast radius. Practices that are not applicable, not
    answered or unsure have no current level and no candidate. A prerequisite that the profile hides, that
    is not applicable or that has its level already counts as met; one outside the scope is *assumed*; an
    unmet one brings in its own steps, above its target if need be; an unanswered one blocks the step.

    Raises:
        BadPlanInput: `score_incomplete` when there is no overall score; bad targets, estimates or rates.
    """
    own, prices = estimates or {}, rates or Rates()
    check_estimates(own, prices)
    card = situation.today
    if card.overall.score is None:
        raise BadPlanInput(
            "score_incomplete", "too few answers for a score, so no gain can be computed", place="answers"
        )
    steps = _Steps(situation, _checked_targets(situation, targets or {}, default_target))
    gains, costs = _Gains(situation), _Costs(own, prices, lab)
    return tuple(
        steps.candidate(practice, level, gains, costs)
        for practice in situation.matrix.practices
        for level in steps.levels(practice.id)
    )


def candidate_id(practice: str, to_level: int) -> str:
    """Id of the step of a practice to a level: `REL-04.L3`."""
    return f"{practice}.L{to_level}"


def _checked_targets(situation: Situation, targets: Mapping[str, int], default: int) -> dict[str, int]:
    found = {"default_target": default} | {f"targets[{name}]": level for name, level in targets.items()}
    for place, level in found.items():
        if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= HIGHEST_LEVEL:
            raise BadPlanInput(
                "level_out_of_range",
                f"{place} must be a level 0 to {HIGHEST_LEVEL}, got {level!r}",
                place=place,
            )
    for name in targets:
        if name not in situation.matrix:
            raise BadPlanInput(
                "unknown_practice", f"the matrix has no practice {name}", place=f"targets[{name}]"
            )
    return {practice.id: targets.get(practice.id, default) for practice in situation.matrix.practices}


@dataclass(frozen=True, slots=True)
class _Costs:
    own: Estimates
    rates: Rates
    lab: bool


@dataclass(slots=True)
class _Gains:
    """Changes of the overall score and of the weakest dimension, one `score` per practice and level."""

    situation: Situation
    _seen: dict[tuple[str, int], tuple[float, float]] = field(default_factory=dict, init=False)

    def of(self, practice: str, to_level: int) -> tuple[float, float]:
        """Gain of the step: overall, and of the weakest dimension."""
        after, before = self._scores(practice, to_level), self._scores(practice, to_level - 1)
        return after[0] - before[0], after[1] - before[1]

    def _scores(self, practice: str, level: int) -> tuple[float, float]:
        if (practice, level) not in self._seen:
            today = self.situation.today
            same = level == today.practices[practice].current
            card = today if same else self.situation.card_at({practice: level})
            weakest = today.overall.weakest
            lowest = None if weakest is None else card.dimensions[weakest].score
            self._seen[practice, level] = (card.overall.score or 0.0, lowest or 0.0)
        return self._seen[practice, level]


@dataclass(slots=True)
class _Steps:
    """Which levels each practice goes through, its own target and the needs of others together."""

    situation: Situation
    targets: Mapping[str, int]
    _reach: dict[str, int] = field(default_factory=dict, init=False)
    _shown: dict[str, PracticeScore] = field(default_factory=dict, init=False)
    _applicable: frozenset[str] = field(default=frozenset(), init=False)

    def __post_init__(self) -> None:
        matrix, profile, results = (
            self.situation.matrix,
            self.situation.profile,
            self.situation.today.practices,
        )
        self._applicable = frozenset(p.id for p in matrix.in_scope(Scope.full, profile))
        self._shown = {p.id: results[p.id] for p in matrix.in_scope(self.situation.scope, profile)}
        queue = [Need(name, self.targets[name]) for name in self._shown]
        while queue:
            wanted = queue.pop()
            current = self._current(wanted.practice)
            if current is None or wanted.level <= max(current, self._reach.get(wanted.practice, 0)):
                continue
            self._reach[wanted.practice] = wanted.level
            if wanted.level > FREE_LEVELS:
                queue += self._unmet(matrix.practice(wanted.practice))

    def levels(self, practice: str) -> range:
        """Levels that the practice may step to."""
        current = self._current(practice)
        if current is None:
            return range(0)
        return range(current + 1, self._reach.get(practice, 0) + 1)

    def candidate(self, practice: Practice, level: int, gains: _Gains, costs: _Costs) -> Candidate:
        """The candidate that ends at `level`."""
        current, claimed = self._current(practice.id) or 0, self._shown[practice.id].claimed or 0
        first_bound = max(current, FREE_LEVELS) + 1 == level
        test = closing_test(practice, level)
        estimate, source = estimate_for(practice, level, costs.own)
        gain, weakest_gain = gains.of(practice.id, level)
        own_step = [candidate_id(practice.id, level - 1)] if level - 1 > current else []
        others = [candidate_id(n.practice, n.level) for n in self._unmet(practice)] if first_bound else []
        return Candidate(
            id=candidate_id(practice.id, level),
            practice=practice.id,
            from_level=level - 1,
            to_level=level,
            gain=gain,
            effort_days=estimate.days_likely,
            gpu_hours=estimate.gpu_hours,
            money=costs.rates.money(estimate),
            blast_radius=blast_radius(level, runs_fault=test.method is ClosingMethod.FAULT, lab=costs.lab),
            needs=(*own_step, *others),
            dimension=practice.dimension,
            weakest_gain=weakest_gain,
            days_low=estimate.days_low,
            days_high=estimate.days_high,
            estimate=source,
            work=Work.PROVE if claimed >= level else Work.BUILD,
            pulled_in=level > self.targets[practice.id],
            blocked=self._unanswered(practice) if first_bound else (),
            assumed=self._assumed(practice) if first_bound else (),
            may_cost=tuple(d for d, _ in practice.tension) if level > TENSION_ABOVE else (),
            closing_test=test,
        )

    def _current(self, practice: str) -> int | None:
        result = self._shown.get(practice)
        return None if result is None else result.current

    def _unmet(self, practice: Practice) -> list[Need]:
        levels = [(need, self._current(need.practice)) for need in practice.needs]
        return [need for need, level in levels if level is not None and level < need.level]

    def _unanswered(self, practice: Practice) -> tuple[Need, ...]:
        states = [(need, self._shown.get(need.practice)) for need in practice.needs]
        return tuple(
            need for need, result in states if result is not None and result.state in ("unsure", "unanswered")
        )

    def _assumed(self, practice: Practice) -> tuple[Need, ...]:
        return tuple(
            need
            for need in practice.needs
            if need.practice in self._applicable and need.practice not in self._shown
        )


def closing_test(practice: Practice, level: int) -> ClosingTest:
    """What closes the step to `level`, from the matrix's table of what answers which clause.

    A practice that is not worded yet names no clauses; its faults and drills then stand for levels 4 and 5.
    """
    clauses = tuple(clause.id for clause in practice.clauses_at(level))
    answers = [
        entry
        for entry in practice.answers_by
        if not set(clauses).isdisjoint(entry.clauses) or (not practice.worded and level > TENSION_ABOVE)
    ]
    faults = _unique(entry.fault for entry in answers if entry.fault is not None)
    drills = _unique(entry.drill for entry in answers if entry.drill is not None)
    method = ClosingMethod.FAULT if faults else ClosingMethod.DRILL if drills else ClosingMethod.EVIDENCE
    return ClosingTest(method, proof_of(level), faults=faults, drills=drills, clauses=clauses)


def _unique(items: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(items))
