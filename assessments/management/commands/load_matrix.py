"""Release a matrix version from a folder of YAML files (default: the shipped V2.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.domain import shipped
from assessments.domain.loader import read_folder
from assessments.domain.problems import MatrixErrors
from assessments.services import matrices


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=shipped.FOLDER)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder", returncode=2)
        try:
            documents = read_folder(folder)
            row, new = matrices.release(documents)
        except MatrixErrors as error:
            raise CommandError(str(error), returncode=2) from None
        if options["verbosity"]:
            self.stdout.write(f"{'Released' if new else 'Already released'}: {row}")
