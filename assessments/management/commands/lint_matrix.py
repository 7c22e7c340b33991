"""Load a folder of matrix files and check the writing rules: every problem with file, line and rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.domain.linter import lint
from assessments.domain.loader import load_documents, read_folder
from assessments.domain.problems import MatrixErrors, Problem
from assessments.domain.shipped import FOLDER


class Command(BaseCommand):
    """Exit 0 where nothing is wrong, 2 otherwise; problems go to stderr."""

    help = "Check a folder of matrix files: format, links between practices, writing rules."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="default: the shipped V2.3")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder", returncode=2)
        try:
            documents = read_folder(folder)
            matrix = load_documents(documents)
        except MatrixErrors as error:
            raise _failure(folder, error.problems) from None
        problems = lint(documents)
        if problems:
            raise _failure(folder, problems)
        worded = sum(each.worded for each in matrix.practices)
        self.stdout.write(
            f"V{matrix.version}: {len(matrix.practices)} practices, {worded} worded, no problems\n"
            f"sha256 {matrix.sha256}"
        )


def _failure(folder: Path, problems: tuple[Problem, ...]) -> CommandError:
    lines = [f"{folder}: {len(problems)} problem(s)", *(str(each) for each in problems)]
    return CommandError("\n".join(lines), returncode=2)
