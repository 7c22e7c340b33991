"""`manage.py report --assessment ID --lang en|zh-hans --out FILE.pdf`: a PDF without queue and worker."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone, translation

from assessments import selectors as assessments
from portal.dashboard import report_data
from portal.errors import Refused
from portal.reports import compiler
from portal.reports.services import LANGUAGES

USAGE = 2


class Command(BaseCommand):
    help = "Write the report of an assessment to a file, without queue and worker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--assessment", required=True, metavar="ID")
        parser.add_argument("--lang", default="en", metavar="|".join(LANGUAGES), help="default: en")
        parser.add_argument("--against", default="", metavar="a:ID|m:ID", help="compare with this side")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE.pdf")

    def handle(self, *args: Any, **options: Any) -> None:
        language, out = str(options["lang"]).lower(), options["out"]
        if language not in LANGUAGES:
            raise CommandError(
                f"--lang: {options['lang']!r} is not one of {', '.join(LANGUAGES)}", returncode=USAGE
            )
        _writable(out)
        try:
            pdf = self.pdf(options["assessment"], language, options["against"])
        except Refused as refused:
            place = "--against" if refused.place == "against" else "--assessment"
            text = f"{place}: {refused.message}" if refused.status == 404 else str(refused.message)
            raise CommandError(text, returncode=USAGE) from None
        _write(out, pdf)
        if options["verbosity"]:
            self.stdout.write(f"{out} ({compiler.page_count(pdf)} pages)")

    def pdf(self, assessment_id: str, language: str, against: str) -> bytes:
        """The PDF of the assessment as it stands now, whosever it is: no person runs this."""
        one = assessments.assessment_by_id(assessment_id)
        now = timezone.now()
        order = report_data.Order(language, "manage.py report", against)
        data = report_data.compose(one.organisation, one.pk, order, as_of=now)
        with translation.override(language):
            return compiler.compile_pdf(report_data.TEMPLATE, data, language=language, timestamp=now)


def _writable(out: Path) -> None:
    """Refuse before the work what would fail after it."""
    folder = out.parent
    if out.is_dir():
        raise CommandError(f"--out: {out} is a folder", returncode=USAGE)
    if not folder.is_dir():
        raise CommandError(f"--out: there is no folder {folder}", returncode=USAGE)
    if not os.access(folder, os.W_OK):
        raise CommandError(f"--out: {folder} cannot be written", returncode=USAGE)


def _write(out: Path, pdf: bytes) -> None:
    """All or nothing: a reader never sees half a file."""
    name = ""
    try:
        with tempfile.NamedTemporaryFile(dir=out.parent, prefix=".report-", delete=False) as file:
            name = file.name
            file.write(pdf)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, out)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise CommandError(f"--out: {out}: {error.strerror}", returncode=USAGE) from None
