"""The data of a maturity report: every key that `frontend/reports/maturity.typ` reads.

The data is frozen in the row of the report when it is asked for. It is plain JSON: numbers exactly as the
scorecard's JSON gives them (4 decimals), moments as ISO 8601 in UTC, dates as `YYYY-MM-DD`, texts of the
matrix and whole sentences already in the language of the report. The template adds headings and columns
(`frontend/reports/words.typ`) and rounds for display (2 decimals); it computes no score.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from portal.reports.tradeoff_schema import TradeoffsPart

SCHEMA = 1

Status = Literal["ok", "incomplete", "empty"]
AnswerState = Literal["answered", "na", "unsure", "unanswered"]


class ServiceRow(TypedDict):
    """A service of the cluster; `kind` is serve or train, `tier` 1 to 3."""

    name: str
    kind: str
    model: str
    tier: int
    in_scope: bool


class ClusterFacts(TypedDict):
    """What was assessed. `environment`: production, staging or lab."""

    name: str
    gpu_sku: str
    gpu_count: int | None
    engine: str
    environment: str
    kinds: list[str]
    tags: list[str]
    services: list[ServiceRow]


class AssessmentFacts(TypedDict):
    """The look at the cluster. `scope`: quick or full; `status`: open or closed."""

    id: str
    name: str
    scope: str
    status: str
    opened_at: str


class MatrixFacts(TypedDict):
    """The questionnaire; two reports may be compared where `sha256` is the same."""

    version: str
    sha256: str


class OverallRow(TypedDict):
    """The headline: scores 0 to 5 (None below 70 % answered), the weakest dimension's code, the counts."""

    status: Status
    score: float | None
    claimed: float | None
    demonstrated: float | None
    weakest: str | None
    answered: int
    applicable: int
    not_applicable: int
    unsure: int
    completeness: float
    na_share: float
    na_warning: bool
    interval: list[float] | None


class Weakest(TypedDict):
    """The weakest practice of a dimension."""

    id: str
    title: str
    current: int


class DimensionRow(TypedDict):
    """One of the six, in their fixed order. `score` is the current view."""

    code: str
    name: str
    status: Status
    score: float | None
    claimed: float | None
    demonstrated: float | None
    level: int | None
    answered: int
    applicable: int
    not_applicable: int
    unsure: int
    completeness: float
    interval: list[float] | None
    weakest: Weakest | None


class KpiRow(TypedDict):
    """A headline KPI of a dimension, as text with its unit.

    `service`: empty for the whole cluster. `value`: also a bound, or a dash. `interval`: at 95 %, empty where
    there is none; `counted`: what it rests on, or empty. `why`: why there is no value, else empty. `start`,
    `end`: the days of its numbers.
    """

    dimension: str
    name: str
    service: str
    value: str
    interval: str
    counted: str
    why: str
    start: str | None
    end: str | None


class EvidenceRow(TypedDict):
    """A piece of evidence. `state`: valid, expired or future; `until`: the last day on which it counts.

    `source` is a link (http, https), a file name, or empty; `sha256` that of a file, else empty.
    """

    kind: str
    title: str
    date: str
    until: str | None
    state: str
    verified: bool
    clause: str
    source: str
    sha256: str


class ClauseText(TypedDict):
    """A clause by id and in words."""

    id: str
    text: str


class PracticeRow(TypedDict):
    """One asked practice: scores, the answer, and what backs it.

    `reason` says in words why the current level is below the claimed one (empty where it is not), `na` why
    it does not apply. `met` holds ids of ticked clauses, `missing` the unmet clauses of the next level.
    """

    id: str
    dimension: str
    title: str
    question: str
    core: bool
    state: AnswerState
    claimed: int | None
    demonstrated: int | None
    current: int | None
    ceiling: int
    reason: str
    na: str
    met: list[str]
    missing: list[ClauseText]
    note: str
    respondent: str
    answered_at: str | None
    evidence: list[EvidenceRow]


class Baseline(TypedDict):
    """What the executive page compares with: the last milestone, else a second cluster.

    `kind`: milestone or cluster. `scores`: dimension code to its score then (None: not rated).
    """

    kind: str
    name: str
    date: str
    overall: float | None
    scores: dict[str, float | None]


class ComparedSide(TypedDict):
    """One side of the comparison."""

    name: str
    date: str
    overall: float | None


class ComparedDimension(TypedDict):
    """A dimension on both sides; `difference` is a - b, `p` the exact p after Holm, `words` the verdict."""

    code: str
    name: str
    a: float | None
    b: float | None
    difference: float | None
    statistic: float | None
    p: float | None
    shared: int
    words: str


class ComparedPractice(TypedDict):
    """A practice whose level differs."""

    id: str
    title: str
    a: int | None
    b: int | None


class ComparisonPart(TypedDict):
    """Two sides. `guard`: what else differs, in words; `refused`: why there are no numbers."""

    a: ComparedSide
    b: ComparedSide
    guard: list[str]
    refused: str
    overall_words: str
    dimensions: list[ComparedDimension]
    practices: list[ComparedPractice]


class Decision(TypedDict):
    """What is asked of the reader, with its price: days, GPU-hours, money, and the gain in levels."""

    title: str
    text: str
    days: float
    gpu_hours: float
    money: float
    currency: str
    gain: float


class WeakPoint(TypedDict):
    """One of the (at most) three weakest points, in plain words."""

    id: str
    title: str
    text: str


class MixRow(TypedDict):
    """How many pieces of valid evidence are of a kind, and how many of them somebody verified."""

    kind: str
    name: str
    count: int
    verified: int


class Executive(TypedDict):
    """The page for those who decide."""

    verdict: str
    detail: str
    weak_points: list[WeakPoint]
    decisions: list[Decision]
    confidence: list[str]
    mix: list[MixRow]


class RoadmapItemRow(TypedDict):
    """A step. `closing` is the closing test in words, `status` in words, `due` a date or None."""

    practice: str
    title: str
    from_level: int
    to_level: int
    gain: float
    days: float
    days_low: float
    days_high: float
    gpu_hours: float
    money: float
    owner: str
    due: str | None
    status: str
    closing: str
    why: str


class WaveRow(TypedDict):
    """A wave: its name, its steps in order, the sums, and the budget (None: open)."""

    name: str
    items: list[RoadmapItemRow]
    gain: float
    days: float
    gpu_hours: float
    money: float
    budget_days: float | None
    budget_gpu_hours: float | None
    budget_money: float | None


class LeftOutRow(TypedDict):
    """A step that is not planned, and why."""

    practice: str
    title: str
    from_level: int
    to_level: int
    gain: float
    why: str


class RoadmapPart(TypedDict):
    """The newest roadmap of the assessment. Money is in `currency`.

    `optimal`: no other plan within the budgets gains more; never claimed once somebody moved or dropped
    steps (`changed_by_hand`).
    """

    name: str
    date: str
    currency: str
    score_before: float | None
    score_after: float | None
    optimal: bool
    changed_by_hand: bool
    gain: float
    days: float
    gpu_hours: float
    money: float
    waves: list[WaveRow]
    left_out: list[LeftOutRow]
    note: str


class ControlPractice(TypedDict):
    """A practice that a control is about, with its current level (None: not rated)."""

    id: str
    current: int | None


class ControlRow(TypedDict):
    """A NIST SP 800-53 Rev. 5 control: id and title are facts."""

    id: str
    title: str
    practices: list[ControlPractice]


class LevelRow(TypedDict):
    """A row of the level scale."""

    level: int
    name: str
    rule: str
    proof: str


class EvidenceRuleRow(TypedDict):
    """A kind of evidence, up to which level it carries, and for how many days (None: no end)."""

    kind: str
    name: str
    ceiling: int
    days: int | None


class ReportData(TypedDict):
    """Everything. `comparison`, `roadmap` and `tradeoffs` (of the roadmap) are None where there is none."""

    schema: int
    language: Literal["en", "zh-Hans"]
    title: str
    demo: bool
    organisation: str
    author: str
    created_at: str
    as_of: str
    cluster: ClusterFacts
    assessment: AssessmentFacts
    matrix: MatrixFacts
    overall: OverallRow
    dimensions: list[DimensionRow]
    kpis: list[KpiRow]
    practices: list[PracticeRow]
    baseline: Baseline | None
    executive: Executive
    comparison: ComparisonPart | None
    roadmap: RoadmapPart | None
    tradeoffs: TradeoffsPart | None
    controls: list[ControlRow]
    warnings: list[str]
    levels: list[LevelRow]
    evidence_rules: list[EvidenceRuleRow]
