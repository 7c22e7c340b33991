"""Values of a roadmap: candidate, budget, plan. Money is in the organisation's currency, effort in
engineer-days, gain in levels (0 to 5) of the overall score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import EvidenceKind, Need
from assessments.domain.texts import Text


class BlastRadius(StrEnum):
    """What closing a step may disturb, least first. Compare by `rank`, never by the text."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        return list(BlastRadius).index(self)


class Resource(StrEnum):
    """What a wave has a budget of."""

    DAYS = "days"
    GPU_HOURS = "gpu_hours"
    MONEY = "money"


class Work(StrEnum):
    """BUILD: clauses are missing. PROVE: the level is claimed already and only valid evidence is missing."""

    BUILD = "build"
    PROVE = "prove"


class EstimateSource(StrEnum):
    """Where effort comes from; every source is an estimate and is labelled so."""

    ORGANISATION = "organisation"
    MATRIX = "matrix"
    DEFAULT = "default"


class ClosingMethod(StrEnum):
    """How a step is closed."""

    FAULT = "fault"
    DRILL = "drill"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class ClosingTest:
    """What will close the step: a fault run, a drill, or evidence of one kind for the named clauses."""

    method: ClosingMethod
    evidence: EvidenceKind
    faults: tuple[str, ...] = ()
    drills: tuple[Text, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One step of one practice, `from_level` to `from_level + 1`.

    `gain` is the change of the overall score when this step alone is taken, `weakest_gain` the change of
    the weakest dimension's score (0 for a practice of another dimension). `needs` holds ids of candidates
    that come first. `pulled_in`: above the practice's own target, allowed only when something chosen needs
    it. `blocked`: prerequisites nobody has answered yet, so that the step cannot be planned. `assumed`:
    prerequisites outside the scope of the assessment, taken as met.
    """

    id: str
    practice: str
    from_level: int
    to_level: int
    gain: float
    effort_days: float
    gpu_hours: float
    money: float
    blast_radius: BlastRadius
    needs: tuple[str, ...] = ()
    dimension: Dimension | None = None
    weakest_gain: float = 0.0
    days_low: float | None = None
    days_high: float | None = None
    estimate: EstimateSource = EstimateSource.DEFAULT
    work: Work = Work.BUILD
    pulled_in: bool = False
    blocked: tuple[Need, ...] = ()
    assumed: tuple[Need, ...] = ()
    may_cost: tuple[Dimension, ...] = ()
    closing_test: ClosingTest | None = None

    def cost(self, resource: Resource) -> float:
        """What the step takes of `resource` (likely estimate)."""
        if resource is Resource.DAYS:
            return self.effort_days
        return self.gpu_hours if resource is Resource.GPU_HOURS else self.money


@dataclass(frozen=True, slots=True)
class WaveBudget:
    """Limits of one wave; None is unlimited. `blast_radius` is the largest radius allowed in it."""

    days: float | None = None
    gpu_hours: float | None = None
    money: float | None = None
    blast_radius: BlastRadius | None = None

    def limit(self, resource: Resource) -> float | None:
        """The budget of `resource`, None when unlimited."""
        if resource is Resource.DAYS:
            return self.days
        return self.gpu_hours if resource is Resource.GPU_HOURS else self.money


@dataclass(frozen=True, slots=True)
class GainWeights:
    """How much a gain counts for the solver; `version` is stored with every roadmap."""

    version: str = "1"
    weakest_dimension: float = 1.5

    def value(self, candidate: Candidate) -> float:
        """Weighted gain: the gain, times `weakest_dimension` for a practice of the weakest dimension."""
        factor = self.weakest_dimension if candidate.weakest_gain > 0 else 1.0
        return candidate.gain * factor


WEIGHTS = GainWeights()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a step is in or out: a code for the views to word, and its values."""

    code: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedItem:
    candidate: Candidate
    wave: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    candidate: Candidate
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over steps. `gain` in levels of the overall score, `value` the weighted gain."""

    steps: int
    gain: float
    value: float
    days: float
    days_low: float
    days_high: float
    gpu_hours: float
    money: float


@dataclass(frozen=True, slots=True)
class PlannedWave:
    """`key` is `now`, `next`, `later` or `wave-4` …; items in the order in which to do them."""

    index: int
    key: str
    budget: WaveBudget
    items: tuple[PlannedItem, ...]
    totals: Totals


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer of the solver.

    `optimal`: no other plan has more weighted gain (up to one millionth of a level per step). When the
    time ran out it is False and `gap` says by how much, at most, a better plan could exceed this one
    (0.02 = 2 %; None = not known). `ties_settled`: among equally good plans this one is the cheapest and,
    of those, the earliest.
    """

    waves: tuple[PlannedWave, ...]
    left_out: tuple[LeftOut, ...]
    totals: Totals
    optimal: bool
    gap: float | None
    ties_settled: bool
    weights: GainWeights

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        """All chosen candidates in the order of the waves."""
        return tuple(item.candidate for wave in self.waves for item in wave.items)

    @property
    def levels(self) -> dict[str, int]:
        """Practice -> level once every chosen step is closed; only practices that change."""
        reached: dict[str, int] = {}
        for candidate in self.chosen:
            reached[candidate.practice] = max(candidate.to_level, reached.get(candidate.practice, 0))
        return reached
