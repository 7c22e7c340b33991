"""Score a file of answers, without a database.

    python manage.py score --matrix v2.3 --answers FILE.json --as-of 2026-12-02T00:00:00Z --json

Exit 0 with the scorecard on stdout; exit 2 with every error and its place on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.domain.answers import parse_answers
from assessments.domain.json_values import MAX_BYTES, parse_moment, read_json
from assessments.domain.matrix import Matrix, Scope
from assessments.domain.problems import AnswerErrors, MatrixErrors
from assessments.domain.profiles import parse_profile
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import NAMES, v2_3

BAD_INPUT = 2
_T = TypeVar("_T")


class Command(BaseCommand):
    """See the module; formats are described in docs/guide/scoring.md."""

    help = "Score a file of answers (JSON), without a database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matrix", choices=NAMES, default=NAMES[-1], help="matrix version")
        parser.add_argument("--answers", type=Path, required=True, help="JSON file with a list of answers")
        parser.add_argument("--profile", type=Path, help='JSON file such as {"kinds": ["serve"], "tags": []}')
        parser.add_argument(
            "--scope", choices=[each.value for each in Scope], help="default: the profile's, else full"
        )
        parser.add_argument("--as-of", help="moment such as 2026-12-02T00:00:00Z (default: now)")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        matrix = _matrix()
        # Every file is read before anything is refused, so that all errors come at once.
        errors: list[str] = []
        as_of = _as_of(options["as_of"], errors)
        profile, scope = None, None
        if options["profile"] is not None:
            profile, scope = _read(options["profile"], parse_profile, errors) or (None, None)
        answers = _read(options["answers"], lambda raw: parse_answers(raw, matrix), errors)
        if errors or answers is None or as_of is None:
            raise CommandError("\n".join([f"{len(errors)} error(s)", *errors]), returncode=BAD_INPUT)
        scope = Scope(options["scope"]) if options["scope"] else scope or Scope.full
        card = score(matrix, answers, profile=profile, scope=scope, as_of=as_of)
        if options["json"]:
            self.stdout.write(json.dumps(card.as_dict(), indent=2, allow_nan=False))
        else:
            self.stdout.write("\n".join(table(card)))


def _as_of(text: str | None, errors: list[str]) -> datetime | None:
    if text is None:
        return datetime.now(UTC)
    try:
        return parse_moment(text)
    except ValueError as error:
        errors.append(f"--as-of: {error}")
        return None


def _matrix() -> Matrix:
    try:
        return v2_3()
    except MatrixErrors as error:
        raise CommandError(str(error), returncode=BAD_INPUT) from None


def _read(path: Path, parse: Callable[[object], _T], errors: list[str]) -> _T | None:
    """The parsed content of a JSON file; None, with all errors, where there is none."""
    try:
        with path.open("rb") as file:
            # One byte more than is allowed shows that a file is too large, however endless it is.
            content = file.read(MAX_BYTES + 1)
        return parse(read_json(content))
    except (OSError, ValueError) as error:
        errors.append(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
    except AnswerErrors as error:
        errors.extend(f"{path}: {each}" for each in error.problems)
    return None


def table(card: Scorecard) -> Iterator[str]:
    """The scorecard as lines of text: headline, dimensions, practices, warnings."""
    overall = card.overall
    yield f"Matrix V{card.matrix_version} ({card.matrix_sha256[:12]}), {card.scope} scope, as of " + (
        card.as_of.isoformat()
    )
    weakest = f", weakest {overall.weakest}" if overall.weakest else ""
    share = f"{overall.completeness:.0%} answered"
    yield f"Score {_number(overall.score)} of 5{weakest}; {overall.status}, {share}"
    yield ""
    yield f"{'':5} {'score':>6} {'claimed':>8} {'shown':>6} {'level':>6} {'answered':>9}  status"
    for code, each in card.dimensions.items():
        level = "-" if each.level is None else str(each.level)
        answered = f"{each.answered}/{each.applicable}"
        yield (
            f"{code:5} {_number(each.score):>6} {_number(each.claimed):>8} {_number(each.demonstrated):>6} "
            f"{level:>6} {answered:>9}  {each.status}"
        )
    yield ""
    yield f"{'':8} {'claimed':>7} {'shown':>6} {'now':>4}  reason"
    for name, one in card.practices.items():
        levels = ["-" if each is None else str(each) for each in (one.claimed, one.demonstrated, one.current)]
        yield f"{name:8} {levels[0]:>7} {levels[1]:>6} {levels[2]:>4}  {one.reason}"
    if card.warnings:
        yield ""
        yield "Warnings (they change no score):"
        for warning in card.warnings:
            yield f"  {warning.practice or 'all':8} {warning.message}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
