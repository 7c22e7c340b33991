"""What pages show of KPIs: headlines by dimension, numbers by what they feed, practices by target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from assessments import kpi_words, number_words
from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.facts import Fact, Phase
from assessments.domain.kpis.headlines import Headline
from assessments.domain.kpis.numbers import NUMBERS, Reading
from assessments.domain.kpis.practice_values import PracticeKpi, State, Value
from assessments.domain.matrix import KpiTarget, Matrix, Practice

LEVELS = (3, 4, 5)
GLYPHS = {State.met: "pass", State.missed: "fail", State.unknown: "unknown"}


@dataclass(frozen=True, slots=True)
class HeadlineRow:
    """A headline KPI in words; `known` also where only a bound is, `reason` where no value is."""

    kpi: str
    name: str
    value: str
    known: bool
    interval: str
    counted: str
    reason: str
    service: str
    window: str


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A known number; `uses` is what it feeds beside the group it stands in."""

    name: str
    service: str
    value: str
    window: str
    end: datetime
    uses: list[str]


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """The numbers of one KPI or trade-off: the known ones, and the names of the others."""

    code: str
    title: str
    rows: list[NumberRow]
    missing: list[str]


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A measured value of a practice; `condition` names a second condition, `impossible` what cannot be."""

    service: str
    condition: str
    phase: str
    value: str
    present: str
    window: str
    impossible: bool


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A target of a level and whether it is reached, in words."""

    level: int
    target: KpiTarget
    glyph: str
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """The measured KPI of a practice.

    `value` spans the values of `services` services (0: of the whole cluster), `phase` is empty in normal
    operation, `why` says what the suggestion rests on or lacks.
    """

    practice: Practice
    title: str
    kpi: str
    value: str
    services: int
    phase: str
    values: list[ValueRow]
    targets: list[TargetRow]
    suggested: int | None
    why: str

    def at(self, level: int) -> TargetRow | None:
        """The target of a level."""
        return next((each for each in self.targets if each.level == level), None)

    @property
    def columns(self) -> list[TargetRow | None]:
        """The targets of levels 3, 4, 5."""
        return [self.at(level) for level in LEVELS]


def headline_row(one: Headline) -> HeadlineRow:
    """A headline KPI as every page shows it."""
    measured = one.measured
    return HeadlineRow(
        kpi=measured.kpi,
        name=number_words.use(measured.kpi),
        value=kpi_words.measured(measured),
        known=measured.value is not None or measured.low is not None,
        interval=kpi_words.interval(measured),
        counted=kpi_words.counted(measured),
        reason=str(kpi_words.REASONS.get(measured.reason, measured.reason)),
        service=one.service,
        window=kpi_words.window(one.start, one.end),
    )


def by_dimension(found: Iterable[Headline]) -> list[tuple[str, list[HeadlineRow]]]:
    """(code of a dimension, its headline KPIs), in the order of the dimensions."""
    rows: dict[str, list[HeadlineRow]] = {each.value: [] for each in Dimension}
    for one in found:
        rows[one.dimension].append(headline_row(one))
    return [(code, each) for code, each in rows.items() if each]


def first_known(found: Iterable[Headline]) -> dict[str, HeadlineRow]:
    """Of each dimension the first headline KPI of which something is known."""
    return {
        code: known[0]
        for code, rows in by_dimension(found)
        if (known := [each for each in rows if each.known])
    }


def number_groups(found: Mapping[tuple[str, str], Reading], only: str = "") -> list[NumberGroup]:
    """The numbers by what they feed first, or those alone that feed `only`."""
    groups: dict[str, list[str]] = {}
    for kind in NUMBERS.values():
        if not only or only in kind.used_by:
            groups.setdefault(only or kind.used_by[0], []).append(kind.name)
    known = {name for name, _service in found}
    return [
        NumberGroup(
            code=code,
            title=number_words.use(code),
            rows=[_number_row(found[key], code) for key in sorted(found, key=_order) if key[0] in names],
            missing=[number_words.name(name) for name in names if name not in known],
        )
        for code, names in groups.items()
    ]


def _order(key: tuple[str, str]) -> tuple[int, str]:
    return (list(NUMBERS).index(key[0]), key[1])


def _number_row(one: Reading, group: str) -> NumberRow:
    kind = NUMBERS[one.name]
    return NumberRow(
        name=number_words.name(one.name),
        service=one.service,
        value=number_words.quantity(one.value, kind.unit),
        window=kpi_words.window(one.start, one.end),
        end=one.end,
        uses=[_short(each) for each in kind.used_by if each != group],
    )


def _short(use: str) -> str:
    """A KPI by its name, a trade-off by its number."""
    return use if use in number_words.TRADEOFFS else number_words.use(use)


def practice_rows(matrix: Matrix, found: Mapping[str, PracticeKpi], language: str) -> list[PracticeRow]:
    """The measured practices in the order of the matrix."""
    return [practice_row(each, found[each.id], language) for each in matrix.practices if each.id in found]


def practice_row(practice: Practice, one: PracticeKpi, language: str) -> PracticeRow:
    """A measured practice as every page shows it."""
    whole = not any(each.service for each in one.values)
    value, services, phase = _summary(practice, one.values)
    targets = []
    for target in practice.kpi.targets if practice.kpi else ():
        state = one.target(target.level)
        if state is not None:
            words = str(kpi_words.STATES[state.state])
            why = kpi_words.why(state.why, whole=whole)
            targets.append(TargetRow(target.level, target, GLYPHS[state.state], words, why))
    return PracticeRow(
        practice=practice,
        title=practice.title.in_language(language),
        kpi=practice.kpi.name.in_language(language) if practice.kpi else "",
        value=value,
        services=services,
        phase=phase,
        values=[_value_row(practice, each, each in one.impossible, language) for each in one.values],
        targets=targets,
        suggested=one.suggested,
        why=kpi_words.suggestion(one.why, whole=whole),
    )


def _summary(practice: Practice, values: Sequence[Value]) -> tuple[str, int, str]:
    """`84–97 %`, the number of services it spans, and the phase; normal operation holds before others."""
    unit = practice.kpi.unit if practice.kpi else ""
    main = [each for each in values if each.part == 0 and each.unit == unit] or list(values)
    main = [each for each in main if each.phase is Phase.steady] or main
    amounts = sorted(each.value for each in main)
    services = len({each.service for each in main if each.service})
    phase = _phase(main[0].phase)
    return number_words.span(amounts[0], amounts[-1], main[0].unit), services, phase


def _phase(one: Phase) -> str:
    """The phase in words where it is worth one: not in normal operation."""
    return "" if one is Phase.steady else str(kpi_words.PHASES[one.value])


def _value_row(practice: Practice, one: Value, impossible: bool, language: str) -> ValueRow:
    return ValueRow(
        service=one.service,
        condition=_condition(practice, one.part, language),
        phase=_phase(one.phase),
        value=number_words.quantity(one.value, one.unit),
        present="" if one.present is None else number_words.quantity(one.present, "%"),
        window=kpi_words.window(one.start, one.end),
        impossible=impossible,
    )


def _condition(practice: Practice, part: int, language: str) -> str:
    """The name of the n-th condition beside the level-3 target; an empty text for the value itself."""
    targets = practice.kpi.targets if practice.kpi else ()
    also = next((each.also for each in targets if each.level == LEVELS[0]), ())
    if not part:
        return ""
    return also[part - 1].name.in_language(language) if part <= len(also) else f"/{part}"


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of a file as the preview shows it."""

    kind: str
    name: str
    code: str
    service: str
    value: str
    window: str
    open: bool
    phase: str
    before: FactRow | None = None


def fact_row(one: Fact, before: Fact | None = None) -> FactRow:
    """A fact in words, with the one that it replaces."""
    known = one.name in NUMBERS
    return FactRow(
        kind=str(kpi_words.KINDS[one.kind.value]),
        name=number_words.name(one.name) if known else one.name,
        code=one.name if known else "",
        service=one.service,
        value="" if one.value is None else number_words.quantity(one.value, one.unit),
        window=kpi_words.window(one.start, one.end or one.start, exact=True),
        open=one.end is None,
        phase=_phase(one.phase),
        before=fact_row(before) if before else None,
    )
