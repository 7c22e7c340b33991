"""The questionnaire as values: practices, clauses, KPIs, prerequisites, and what is asked of whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from assessments.domain.dimensions import Dimension
from assessments.domain.texts import Text

HIGHEST_LEVEL = 5


class EvidenceKind(StrEnum):
    """What a piece of evidence is; each kind adds a different sort of fact."""

    E0 = "E0"  # statement
    E1 = "E1"  # dated artefact
    E2 = "E2"  # configuration
    E3 = "E3"  # telemetry
    E4 = "E4"  # experiment
    E5 = "E5"  # automation


class Scope(StrEnum):
    """How much is asked: the 12 core practices or all of them."""

    quick = "quick"
    full = "full"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a cluster does (`serve`, `train`) and has (`moe`, `lora`, `rag`, `multi-tenant`, `spot`)."""

    kinds: frozenset[str]
    tags: frozenset[str] = frozenset()

    @property
    def training_only(self) -> bool:
        """True where nothing is served; the quick scan then swaps its serving practices."""
        return self.kinds == frozenset({"train"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One observable fact that a rater ticks or not; `id` is like `REL-04.L3.b`.

    A clause with `tags` counts only where the profile has all of them.
    """

    id: str
    practice: str
    level: int
    text: Text
    evidence: EvidenceKind
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Condition:
    """A second thing that must hold at a KPI's target, with a name and a unit of its own."""

    name: Text
    op: str
    value: float | None
    unit: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class KpiTarget:
    """What the KPI must reach at a level.

    `op` is `measured`, `>=`, `<=`, `==` or `between` (with `low` and `high`, without `value`).
    `share` is the percentage of runs or days that must reach it; `also` are conditions beside the value.
    """

    level: int
    op: str
    value: float | None
    unit: str
    window_days: int | None
    text: Text | None = None
    window_seconds: int | None = None
    low: float | None = None
    high: float | None = None
    share: float | None = None
    also: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Kpi:
    """How the practice is measured; `better` is `up`, `down`, `near` or `justified`."""

    name: Text
    unit: str
    better: str
    formula: Text
    targets: tuple[KpiTarget, ...]


@dataclass(frozen=True, slots=True)
class EffortStep:
    """Estimated work for the step up to `to_level`: engineer-days (low, likely, high) and GPU-hours."""

    to_level: int
    days_low: float
    days_likely: float
    days_high: float
    gpu_hours: float


@dataclass(frozen=True, slots=True)
class Need:
    """A prerequisite: another practice and the level it should have first."""

    practice: str
    level: int


@dataclass(frozen=True, slots=True)
class DrillProtocol:
    """How a drill is run: how many people, planned minutes, at least every so many days, and what passes."""

    people: int
    minutes: int
    every_days: int
    steps: tuple[Text, ...]
    passes: Text
    record: Text


@dataclass(frozen=True, slots=True)
class AnsweredBy:
    """Which experiment (`fault`, like `F2`) or `drill` shows which clauses; exactly one of the two is set.

    Only a drill has a `protocol`.
    """

    fault: str | None
    drill: Text | None
    clauses: tuple[str, ...]
    protocol: DrillProtocol | None = None


@dataclass(frozen=True, slots=True)
class LevelRule:
    """The general rule of one level; it is what a rater reads where a practice is not worded yet."""

    level: int
    name: Text
    rule: Text
    proof: EvidenceKind | None


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """A row of the evidence table as shown to people; `days` is None where nothing expires."""

    kind: EvidenceKind
    name: Text
    ceiling: int
    days: int | None


@dataclass(frozen=True, slots=True)
class Practice:
    """One practice. Where `worded` is False, `why`, `rulings`, `clauses` and `kpi` are empty or missing."""

    id: str
    dimension: Dimension
    core: bool
    worded: bool
    title: Text
    question: Text
    why: Text | None = None
    proof: tuple[Text, ...] = ()
    rulings: tuple[Text, ...] = ()
    clauses: tuple[Clause, ...] = ()
    kpi: Kpi | None = None
    answers_by: tuple[AnsweredBy, ...] = ()
    needs: tuple[Need, ...] = ()
    tension: tuple[tuple[Dimension, str], ...] = ()
    ask: str = "SRE"
    kinds: frozenset[str] = frozenset({"serve", "train"})
    tags: frozenset[str] = frozenset()
    nist: tuple[str, ...] = ()
    xref: tuple[str, ...] = ()
    effort: tuple[EffortStep, ...] = ()
    weight: float = 1.0
    signals: tuple[str, ...] = ()

    def clauses_at(self, level: int) -> tuple[Clause, ...]:
        """The clauses of one level in their order; empty for level 0 and where nothing is worded."""
        return tuple(clause for clause in self.clauses if clause.level == level)

    def shown_to(self, profile: Profile | None) -> bool:
        """Whether the profile leaves the practice visible: a common kind, and every tag of the practice."""
        if profile is None:
            return True
        return bool(self.kinds & profile.kinds) and self.tags <= profile.tags

    def narrowed(self, profile: Profile | None) -> Practice:
        """The practice with only the clauses that the tags of the profile leave; itself where that is all."""
        if profile is None or all(clause.tags <= profile.tags for clause in self.clauses):
            return self
        left = tuple(clause for clause in self.clauses if clause.tags <= profile.tags)
        kept = {clause.id for clause in left}
        answers = tuple(
            replace(each, clauses=tuple(name for name in each.clauses if name in kept))
            for each in self.answers_by
            if not each.clauses or kept & set(each.clauses)
        )
        return replace(self, clauses=left, answers_by=answers)


@dataclass(frozen=True, slots=True)
class Matrix:
    """One version of the questionnaire; two matrices are the same exactly when `sha256` is."""

    version: str
    sha256: str
    practices: tuple[Practice, ...]
    quick_scan: tuple[str, ...]
    quick_swaps_train: dict[str, str]
    level_scale: tuple[LevelRule, ...]
    evidence: tuple[EvidenceRule, ...] = ()
    reading: tuple[Text, ...] = ()  # how every clause is read, whatever the practice
    controls: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _by_id: dict[str, Practice] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {practice.id: practice for practice in self.practices})

    def __contains__(self, practice_id: object) -> bool:
        return practice_id in self._by_id

    def practice(self, practice_id: str) -> Practice:
        """The practice with that id. Raises KeyError for an unknown one."""
        return self._by_id[practice_id]

    def narrowed(self, profile: Profile | None) -> Matrix:
        """The same matrix without the clauses whose tags the profile lacks; hidden practices stay."""
        return replace(self, practices=tuple(each.narrowed(profile) for each in self.practices))

    def by_dimension(self, dimension: Dimension) -> tuple[Practice, ...]:
        """The practices of a dimension in their order."""
        return tuple(practice for practice in self.practices if practice.dimension == dimension)

    def core_for(self, profile: Profile | None) -> tuple[str, ...]:
        """Ids of the core practices; a training-only profile swaps those that only serving can answer."""
        if profile is None or not profile.training_only:
            return self.quick_scan
        return tuple(self.quick_swaps_train.get(each, each) for each in self.quick_scan)

    def in_scope(self, scope: Scope | str, profile: Profile | None = None) -> tuple[Practice, ...]:
        """What is asked, in matrix order, after the profile has hidden what does not concern the cluster.

        Without a profile everything applies. Raises ValueError for a scope that is neither quick nor full.
        """
        if Scope(scope) is Scope.full:
            asked: set[str] = set(self._by_id)
        else:
            asked = set(self.core_for(profile))
        return tuple(
            each.narrowed(profile) for each in self.practices if each.id in asked and each.shown_to(profile)
        )
