"""A difference between two matrices as rows that a page can draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import (
    AnsweredBy,
    Clause,
    EffortStep,
    EvidenceRule,
    KpiTarget,
    LevelRule,
    Practice,
)
from assessments.domain.matrix_diff import ClauseChange, FieldChange, MatrixDiff, PracticeChange, TextChange
from assessments.domain.text_diff import Pieces, pieces
from assessments.domain.texts import Text
from assessments.views.worksheet import language
from frontend.templatetags.matrix import kind_names, kpi_condition, kpi_target

# More practices than anybody reads; the command and the API give them all.
MOST_PRACTICES = 120
LANGUAGES = {"en": "en", "zh": "zh-Hans"}


@dataclass(frozen=True, slots=True)
class Line:
    """One text before and after, in one language ("" for what has none); None where a side lacks it."""

    language: str
    before: Pieces | None
    after: Pieces | None


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that differs: `part` names it, `kind` says how, `note` what is not in the texts."""

    part: str
    kind: str
    lines: tuple[Line, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A practice that differs with all its rows."""

    id: str
    title: str
    rows: tuple[Row, ...]


def shown(found: MatrixDiff) -> tuple[Shown, ...]:
    """The changed practices, at most `MOST_PRACTICES`."""
    lang = language()
    return tuple(
        Shown(each.after.id, each.after.title.in_language(lang), tuple(_rows(each)))
        for each in found.changed[:MOST_PRACTICES]
    )


def matrix_rows(found: MatrixDiff) -> tuple[Row, ...]:
    """What differs in the matrix as a whole."""
    return tuple(_field(each) for each in found.fields)


def headlines(practices: Iterable[Practice]) -> list[dict[str, Any]]:
    """Added or removed practices: id, title, question and how many clauses."""
    lang = language()
    return [
        {
            "id": each.id,
            "title": each.title.in_language(lang),
            "question": each.question.in_language(lang),
            "clauses": len(each.clauses),
        }
        for each in practices
    ]


def _rows(change: PracticeChange) -> Iterator[Row]:
    yield from (_text(each) for each in change.texts)
    yield from (_clause(each) for each in change.clauses)
    if change.weight is not None:
        yield _plain("weight", *(f"{each:g}" for each in change.weight))
    for need in change.needs:
        sides = [f"≥ {each}" if each is not None else "" for each in (need.before, need.after)]
        yield _plain(_("Needs %(practice)s") % {"practice": need.practice}, *sides)
    for target in change.targets:
        part = _("KPI target of level %(level)s") % {"level": target.level}
        yield _plain(part, _target(target.before), _target(target.after))
    yield from (_field(each) for each in change.fields)


def _kind(before: Any, after: Any) -> str:
    return "changed" if before and after else "added" if after else "removed"


def text_lines(before: Text | None, after: Text | None) -> tuple[Line, ...]:
    """The language of the page first, and the other one where it differs too (or alone)."""
    own = language()
    found: list[Line] = []
    for code in sorted(("en", "zh"), key=lambda each: each != ("zh" if own.startswith("zh") else "en")):
        old = before.in_language(code) if before else None
        new = after.in_language(code) if after else None
        if old is None or new is None:
            if not found:
                found.append(_line(old, new, LANGUAGES[code]))
        elif old != new:
            found.append(_line(old, new, LANGUAGES[code]))
    return tuple(found)


def _line(before: str | None, after: str | None, code: str = "") -> Line:
    if before is not None and after is not None:
        return Line(code, *pieces(before, after))
    one, other = (((each, False),) if each is not None else None for each in (before, after))
    return Line(code, one, other)


def _text(change: TextChange) -> Row:
    kind = _kind(change.before, change.after)
    return Row(change.part, kind, text_lines(change.before, change.after))


def _clause(change: ClauseChange) -> Row:
    before, after = change.before, change.after
    lines = text_lines(before.text if before else None, after.text if after else None)
    notes = []
    if before and after:
        for old, new in zip(_facts(before), _facts(after), strict=True):
            if old != new:
                notes.append(f"{old or '—'} → {new or '—'}")
    if before and after and not lines:
        lines = (_line(before.text.in_language(language()), after.text.in_language(language())),)
    return Row(change.id, change.kind, lines, " · ".join(notes))


def _facts(clause: Clause) -> tuple[str, str, str]:
    """What a clause is apart from its words: id, kind of evidence, tags."""
    return clause.id, clause.evidence.value, ", ".join(sorted(clause.tags))


def _plain(part: str, before: str, after: str) -> Row:
    return Row(part, _kind(before, after), (_line(before or None, after or None),))


def _target(target: KpiTarget | None) -> str:
    if target is None:
        return ""
    words = [kpi_target(target)]
    words += [f"{each.name.in_language(language())} {kpi_condition(each)}" for each in target.also]
    if target.text:
        words.append(target.text.in_language(language()))
    return " · ".join(words)


def _field(change: FieldChange) -> Row:
    """The entries that only one side has; where the order is all that differs, that is said."""
    old = kind_names(change.before) if change.name == "kinds" else entries(change.before)
    new = kind_names(change.after) if change.name == "kinds" else entries(change.after)
    if change.name == "order" or sorted(old) == sorted(new):
        return Row(change.name, "changed", (), _("The same entries in another order"))
    gone = [each for each in old if each not in new]
    come = [each for each in new if each not in old]
    lines = [
        _line(gone[nth] if nth < len(gone) else None, come[nth] if nth < len(come) else None)
        for nth in range(max(len(gone), len(come)))
    ]
    return Row(change.name, _kind(old, new), tuple(lines))


def entries(value: Any) -> list[str]:
    """A value of the matrix as texts, one per entry."""
    if value is None or value == "":
        return []
    if isinstance(value, frozenset | set):
        return sorted(str(each) for each in value)
    if isinstance(value, dict):
        return [f"{key} → {other}" for key, other in value.items()]
    if isinstance(value, tuple | list):
        return [_entry(each) for each in value]
    return [_entry(value)]


def _entry(value: Any) -> str:
    lang = language()
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Text):
        return value.in_language(lang)
    if isinstance(value, EffortStep):
        days = f"{value.days_low:g} · {value.days_likely:g} · {value.days_high:g}"
        words = _("to level %(level)s: %(days)s days, %(hours)s GPU-hours")
        return words % {"level": value.to_level, "days": days, "hours": f"{value.gpu_hours:g}"}
    if isinstance(value, AnsweredBy):
        return f"{_answerer(value, lang)}: {', '.join(value.clauses)}"
    if isinstance(value, LevelRule):
        proof = f" ({value.proof.value})" if value.proof else ""
        return f"{value.level} {value.name.in_language(lang)}{proof}: {value.rule.in_language(lang)}"
    if isinstance(value, EvidenceRule):
        days = f", {value.days} d" if value.days else ""
        return f"{value.kind.value} {value.name.in_language(lang)}: ≤ {value.ceiling}{days}"
    if isinstance(value, tuple):  # tension: dimension and sign
        return " ".join(each.value if isinstance(each, Dimension) else str(each) for each in value)
    return str(value)


def _answerer(value: AnsweredBy, lang: str) -> str:
    """The fault or drill, with how the drill is run."""
    if value.drill is None:
        return value.fault or ""
    protocol = value.protocol
    if protocol is None:
        return value.drill.in_language(lang)
    texts = (*protocol.steps, protocol.passes, protocol.record)
    how = [f"{protocol.people} × {protocol.minutes} min / {protocol.every_days} d"]
    return " · ".join([value.drill.in_language(lang), *how, *(each.in_language(lang) for each in texts)])
