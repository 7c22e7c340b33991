"""How far raters agree who rated the same dossiers, without a database.

    python manage.py agreement rater1.json rater2.json rater3.json --json

Each file holds a list of answers, or `{"rater": …, "dossier": …, "profile": …, "answers": […]}`; several
files of one rater are several dossiers. Exit 0 with the agreement on stdout; exit 2 with every error and its
place on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.domain.json_values import MAX_BYTES, read_json
from assessments.domain.matrix import Matrix
from assessments.domain.problems import AnswerErrors
from assessments.domain.ratings import RaterAgreement, Rating, compare_ratings, parse_rating
from assessments.domain.shipped import NAMES, v2_3

BAD_INPUT = 2


class Command(BaseCommand):
    """See the module; what the numbers mean is described in docs/guide/agreement.md."""

    help = "Agreement of raters: quadratic kappa, Gwet's AC2, exact, within one level, per practice."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help="JSON files, at least 2 raters")
        parser.add_argument("--matrix", choices=NAMES, default=NAMES[-1], help="matrix version")
        parser.add_argument("--seed", type=int, default=0, help="of the intervals: same seed, same numbers")
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        matrix = v2_3()
        errors: list[str] = []
        ratings = [rating for path in options["files"] if (rating := _read(path, matrix, errors)) is not None]
        if options["seed"] < 0:
            errors.append("--seed: must not be negative")
        if errors:
            raise CommandError("\n".join([f"{len(errors)} error(s)", *errors]), returncode=BAD_INPUT)
        try:
            found = compare_ratings(matrix, ratings, seed=options["seed"])
        except ValueError as error:
            raise CommandError(f"1 error(s)\nfiles: {error}", returncode=BAD_INPUT) from None
        text = json.dumps(found.as_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        self.stdout.write(text if options["json"] else "\n".join(lines(found)))


def _read(path: Path, matrix: Matrix, errors: list[str]) -> Rating | None:
    try:
        with path.open("rb") as file:
            # One byte more than is allowed shows that a file is too large, however endless it is.
            content = file.read(MAX_BYTES + 1)
        return parse_rating(read_json(content), matrix, name=path.stem)
    except (OSError, ValueError) as error:
        errors.append(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
    except AnswerErrors as error:
        errors.extend(f"{path}: {each}" for each in error.problems)
    return None


def lines(found: RaterAgreement) -> Iterator[str]:
    """The agreement as lines of text: headline, raw table, clauses that divide the raters."""
    overall = found.overall
    yield f"{len(found.raters)} raters, {len(found.dossiers)} dossier(s), {overall.units} units with levels"
    yield f"quadratic kappa  {_number(overall.kappa)} {_interval(overall.kappa_interval)}"
    yield f"Gwet AC2         {_number(overall.ac2)} {_interval(overall.ac2_interval)}"
    yield f"exact            {_number(found.exact)} of {found.pairs} pairs"
    yield f"within one       {_number(found.near)}"
    yield f"applicability disputed in {found.state_pairs} pairs"
    yield (
        f"clauses          kappa {_number(found.ticks_kappa)}, exact {_number(found.ticks_exact)} "
        f"({found.clauses} clauses ticked or not)"
    )
    yield ""
    yield "practice dossier  " + "  ".join(found.raters)
    for name, each in found.practices.items():
        for dossier, row in each.levels.items():
            cells = "  ".join(_cell(row, rater).rjust(len(rater)) for rater in found.raters)
            mark = "  reword" if each.reword else ""
            yield f"{name:8} {dossier:8} {cells}{mark}"
            for clause, who in each.clauses.get(dossier, {}).items():
                yield f"{'':17} {clause} ticked by {', '.join(who)} only"


def _cell(row: dict[str, int | None], rater: str) -> str:
    if rater not in row:
        return "?"
    return "N/A" if row[rater] is None else str(row[rater])


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return "" if bounds is None else f"({bounds[0]:.3f} to {bounds[1]:.3f}, 95 %, by units)"
