"""Facts about a cluster from a file, a form or the API: read, previewed, then stored all at once.

Nothing is ever changed or deleted: a fact with the same key replaces the older one for readers.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from assessments import kpi_selectors, kpi_words, selectors
from assessments.domain.answer_sheet import plain
from assessments.domain.kpis import csv_reading, csv_writing
from assessments.domain.kpis.csv_reading import MAX_BYTES as MAX_BYTES
from assessments.domain.kpis.csv_reading import Problem, Sheet
from assessments.domain.kpis.facts import Fact, FactKind, newest
from assessments.models import KpiFact, KpiSource, KpiUpload
from portal.audit import services as audit
from portal.clusters import selectors as clusters
from portal.clusters import services as cluster_services
from portal.errors import Conflict, Invalid

if TYPE_CHECKING:
    from portal.clusters.models import Cluster

MOST_FACTS = 200_000
"""Facts of one cluster, replaced ones among them: what a page can still read in a second or two."""
MOST_NUMBERS = 200
FILE_NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Preview:
    """What recording a file would do now; `upload` is set where this very file was recorded before."""

    sheet: Sheet
    new: tuple[Fact, ...] = ()
    replaced: tuple[Fact, ...] = ()  # as they would be from then on
    unchanged: tuple[Fact, ...] = ()
    upload: KpiUpload | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the file; nothing else is known then."""
        return self.sheet.problems

    @property
    def written(self) -> tuple[Fact, ...]:
        """What would be stored."""
        return (*self.new, *self.replaced)

    def counts(self) -> dict[str, int]:
        """How many facts are new, replaced and unchanged."""
        return {"new": len(self.new), "replaced": len(self.replaced), "unchanged": len(self.unchanged)}


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was stored; `upload` is None where everything was known already and nothing was."""

    upload: KpiUpload | None
    new: bool
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Given:
    """A number that somebody gives for a window; without a service it is about the whole cluster."""

    name: str
    value: float
    service: str = ""


def preview(*, cluster: Cluster, content: bytes) -> Preview:
    """What `record_csv` would do with the file now; stores nothing.

    Problems of rows come back as values; raises TooLarge or Invalid for what is no file of facts at all.
    """
    sheet = _read(cluster, content)
    if sheet.problems:
        return Preview(sheet)
    same = KpiUpload.objects.filter(cluster=cluster, source=KpiSource.CSV, sha256=_sha256(content)).first()
    return _compared(cluster, sheet, same)


@transaction.atomic
def record_csv(*, cluster: Cluster, actor: Any, file_name: str, content: bytes) -> Recorded:
    """Store the new and changed facts of a file, in one transaction; the same bytes again store nothing.

    Raises Invalid `kpi_rows_invalid` with every problem (`extra["problems"]`: row, column, code, message).
    """
    cluster_services.hold(cluster)
    found = preview(cluster=cluster, content=content)
    if found.problems:
        raise refused(found.problems)
    name = plain(file_name)[-FILE_NAME_CHARACTERS:] or "kpis.csv"
    return _store(cluster, actor, found, source=KpiSource.CSV, sha256=_sha256(content), file_name=name)


@transaction.atomic
def set_numbers(
    *,
    cluster: Cluster,
    actor: Any,
    numbers: Sequence[Given],
    start: datetime,
    end: datetime,
    source: KpiSource = KpiSource.FORM,
    note: str = "",
) -> Recorded:
    """Store several numbers (see `numbers.NUMBERS`) about one window, all or none.

    They pass through the same reader as a file. Raises Invalid with every problem (`extra["problems"]`); its
    `place` is such as `numbers[1].value`.
    """
    if not 0 < len(numbers) <= MOST_NUMBERS:
        raise Invalid("kpi_numbers_count", _("Give 1 to %d numbers.") % MOST_NUMBERS, place="numbers")
    cluster_services.hold(cluster)
    facts = [
        Fact(FactKind.number, each.name, each.service, start, end, each.value, note=note) for each in numbers
    ]
    content = csv_writing.write(facts)
    sheet = _read(cluster, content)
    if sheet.problems:
        raise refused(sheet.problems, places=_places(content, numbers))
    return _store(cluster, actor, _compared(cluster, sheet), source=source, sha256=_sha256(content))


def export(*, organisation: Any, cluster: Cluster) -> bytes:
    """The facts that hold as a file that `record_csv` reads; the same facts give the same bytes."""
    return csv_writing.write(kpi_selectors.facts_of(organisation, cluster))


def _read(cluster: Cluster, content: bytes) -> Sheet:
    services = {row.name for row in clusters.services_of(cluster)}
    return csv_reading.read(content, practices=_practices(cluster), services=services)


def _practices(cluster: Cluster) -> set[str]:
    """Practices of the newest shipped matrix and of those by which the cluster has been assessed."""
    used = selectors.assessments(cluster.organisation_id).filter(cluster=cluster).order_by()
    versions = {selectors.newest_matrix_version().pk, *used.values_list("matrix_version_id", flat=True)}
    return {practice.id for sha256 in versions for practice in selectors.matrix(sha256).practices}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _compared(cluster: Cluster, sheet: Sheet, same: KpiUpload | None = None) -> Preview:
    facts = newest(sheet.facts)
    if same:
        return Preview(sheet, unchanged=facts, upload=same)
    known = {each.key: each for each in kpi_selectors.facts_of(cluster.organisation_id, cluster)}
    return Preview(
        sheet,
        new=tuple(each for each in facts if each.key not in known),
        replaced=tuple(each for each in facts if each.key in known and known[each.key] != each),
        unchanged=tuple(each for each in facts if known.get(each.key) == each),
    )


def _places(content: bytes, numbers: Sequence[Given]) -> dict[int, str]:
    """Row of the file that was made of the numbers to the place of the number that it says."""
    given = {(each.name, each.service): f"numbers[{index}]" for index, each in enumerate(numbers)}
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return {
        number: given.get((row["name"], row["service"]), "numbers")
        for number, row in enumerate(rows, start=2)
    }


def refused(problems: Sequence[Problem], places: Mapping[int, str] | None = None) -> Invalid:
    """What a file with problems is answered with: all of them, each with row and column.

    Of numbers that were given one by one, `places` says where each row came from.
    """
    listed = [{**asdict(each), "message": kpi_words.problem(each)} for each in problems]
    if places is not None:
        for each in listed:
            each["place"] = f"{places.get(each.pop('row'), 'numbers')}.{each['column']}"
    count = len(problems)
    return Invalid(
        "kpi_rows_invalid",
        ngettext(
            "Nothing was stored: %(count)d cell needs another look.",
            "Nothing was stored: %(count)d cells need another look.",
            count,
        )
        % {"count": count},
        place="file" if places is None else "numbers",
        extra={"problems": listed},
    )


def _store(
    cluster: Cluster, actor: Any, found: Preview, *, source: KpiSource, sha256: str, file_name: str = ""
) -> Recorded:
    """Write what differs; the caller holds the cluster, so nobody compares with the same state meanwhile."""
    if not found.written:
        return Recorded(found.upload, new=False, counts=found.counts())
    if KpiFact.objects.filter(cluster=cluster).count() + len(found.written) > MOST_FACTS:
        raise Conflict("kpi_facts_full", _("A cluster holds at most %d facts.") % MOST_FACTS)
    upload = KpiUpload.objects.create(
        organisation_id=cluster.organisation_id,
        cluster=cluster,
        sha256=sha256,
        file_name=file_name,
        source=source,
        rows=len(found.written),
        uploaded_by=actor,
    )
    KpiFact.objects.bulk_create(
        [KpiFact(cluster=cluster, upload=upload, **asdict(each)) for each in found.written], batch_size=500
    )
    audit.record(
        organisation_id=cluster.organisation_id,
        actor=actor,
        action="kpis.recorded",
        object_type="cluster",
        object_id=str(cluster.pk),
        detail={
            "cluster": cluster.name,
            "upload": str(upload.pk),
            "source": source.value,
            "file": file_name,
            "sha256": sha256,
            **found.counts(),
        },
    )
    return Recorded(upload, new=True, counts=found.counts())
