"""The KPIs of a cluster, or of a file of facts without a database.

    python manage.py kpis 华北-A --organisation ballast-demo
    python manage.py kpis facts.csv --train pretrain --as-of 2026-12-02T00:00:00Z --json

Exit 0 with headline KPIs and practice values on stdout; exit 2 with every error and its place on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from assessments.domain.json_values import parse_moment
from assessments.domain.kpis import csv_reading
from assessments.domain.kpis.facts import ServiceScope
from assessments.domain.kpis.headlines import Headline, headlines
from assessments.domain.kpis.practice_values import PracticeKpi, practice_kpis
from assessments.domain.shipped import v2_3
from portal.errors import Refused

BAD_INPUT = 2


class _Every(frozenset[str]):
    """Services of a file without a cluster: whatever name it gives is one."""

    def __contains__(self, _name: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Known:
    """What is printed."""

    headlines: Sequence[Headline]
    practices: Mapping[str, PracticeKpi]


class Command(BaseCommand):
    """See the module; the file is described in docs/reference/kpi_csv.md."""

    help = "Print the KPIs of a cluster, or of a CSV of facts without a database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="CLUSTER|FILE.csv", help="name or id of a cluster, or a file")
        parser.add_argument("--organisation", metavar="SLUG", help="whose cluster; needed with a cluster")
        parser.add_argument(
            "--train",
            metavar="SERVICE",
            action="append",
            default=[],
            help="with a file: a service that trains (others serve); may be repeated",
        )
        parser.add_argument("--as-of", help="moment such as 2026-12-02T00:00:00Z (default: now)")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        as_of = _as_of(options["as_of"])
        source = options["source"]
        if source.lower().endswith(".csv"):
            found = _of_file(Path(source), options["train"], as_of)
        else:
            found = _of_cluster(source, options["organisation"], as_of)
        if options["json"]:
            document = {
                "as_of": as_of,
                "headlines": [each.as_dict() for each in found.headlines],
                "practices": [found.practices[name].as_dict() for name in sorted(found.practices)],
            }
            self.stdout.write(
                json.dumps(document, cls=DjangoJSONEncoder, indent=2, allow_nan=False, ensure_ascii=False)
            )
        else:
            self.stdout.write("\n".join(table(found)))


def _as_of(text: str | None) -> datetime:
    try:
        return datetime.now(UTC) if text is None else parse_moment(text)
    except ValueError as error:
        raise _refusal([f"--as-of: {error}"]) from None


def _refusal(problems: Sequence[str]) -> CommandError:
    texts = [each.encode("utf-8", "backslashreplace").decode() for each in problems]
    return CommandError("\n".join([f"{len(texts)} error(s)", *texts]), returncode=BAD_INPUT)


def _of_file(path: Path, training: Sequence[str], as_of: datetime) -> Known:
    """What a file says by itself: every service that it names is in scope."""
    try:
        with path.open("rb") as file:
            # One byte more than is allowed shows that a file is too large, however endless it is.
            content = file.read(csv_reading.MAX_BYTES + 1)
        sheet = csv_reading.read(content, practices={each.id for each in v2_3().practices}, services=_Every())
    except (OSError, ValueError) as error:
        # ValueError: a path with a zero byte.
        reason = getattr(error, "strerror", None) or error
        raise _refusal([f"{path}: cannot be read: {reason}"]) from None
    if sheet.problems:
        raise _refusal([f"{path}: row {each.row}, {each.column}: {each.message}" for each in sheet.problems])
    names = sorted({each.service for each in sheet.facts if each.service})
    unknown = sorted(set(training) - set(names))
    if unknown:
        raise _refusal([f"--train: the file names no service {each!r}" for each in unknown])
    services = [ServiceScope(each, "train" if each in training else "serve", 1, True) for each in names]
    return Known(headlines(sheet.facts, services, as_of), practice_kpis(v2_3(), sheet.facts, services, as_of))


def _of_cluster(wanted: str, slug: str | None, as_of: datetime) -> Known:
    """What the database says about a cluster, by the matrix of its newest assessment or the newest one."""
    from assessments import kpi_selectors, selectors
    from portal.accounts import selectors as people
    from portal.clusters import selectors as clusters

    if not slug:
        raise _refusal(["--organisation: is needed to find a cluster; a file ends in .csv"])
    try:
        organisation = people.organisation_by_slug(slug)
        named = clusters.clusters(organisation.pk).filter(name=wanted).first()
        one = named or clusters.cluster(organisation.pk, wanted)
        newest = selectors.assessments(organisation).filter(cluster=one).first()
        matrix = (
            selectors.matrix_of(newest) if newest else selectors.matrix(selectors.newest_matrix_version().pk)
        )
    except Refused as error:
        raise _refusal([str(error.message)]) from None
    return Known(
        kpi_selectors.headlines_of(organisation, one, as_of),
        kpi_selectors.practice_kpis_of(one, matrix, as_of),
    )


def table(found: Known) -> Iterator[str]:
    """KPIs as lines of text: headline values with interval, then practices with what they suggest."""
    yield f"{'':5} {'KPI':24} {'service':20} {'value':>12} {'unit':10} {'95 %':>21}  n"
    for each in found.headlines:
        one = each.measured
        bounds = f"{_number(one.low)} to {_number(one.high)}" if one.low is not None or one.high else ""
        yield (
            f"{each.dimension:5} {one.kpi:24} {each.service:20} {_number(one.value):>12} {one.unit:10} "
            f"{bounds:>21}  {one.count} {one.reason}".rstrip()
        )
    yield ""
    yield f"{'':8} {'suggests':>8}  why"
    for name in sorted(found.practices):
        kpi = found.practices[name]
        level = "-" if kpi.suggested is None else str(kpi.suggested)
        yield f"{name:8} {level:>8}  {kpi.why}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.5g}"
