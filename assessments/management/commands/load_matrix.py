"""Release a matrix version from a folder of YAML files (default: the shipped V2.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.domain.problems import MatrixErrors
from assessments.services import matrices

SHIPPED = Path(__file__).resolve().parents[2] / "matrix" / "v2_3"
FILE_BYTES = 2 * 1024 * 1024


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=SHIPPED)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            files = sorted(folder.glob("*.yaml"))
            too_large = [path.name for path in files if path.stat().st_size > FILE_BYTES]
            if not files or too_large:
                raise CommandError(
                    f"{folder}: " + (f"too large: {', '.join(too_large)}" if too_large else "no .yaml files")
                )
            row, new = matrices.release({path.name: path.read_text(encoding="utf-8") for path in files})
        except (OSError, UnicodeDecodeError, MatrixErrors) as error:
            raise CommandError(str(error)) from None
        if options["verbosity"]:
            self.stdout.write(f"{'Released' if new else 'Already released'}: {row}")
