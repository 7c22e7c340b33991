"""`manage.py messages`: keep the Chinese catalogues complete, without GNU gettext."""

from __future__ import annotations

import fcntl
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from frontend.translations import areas, catalogues, checks
from frontend.translations.extract import Text, Unreadable, texts_by_area

Found = dict[str, dict[tuple[str, str], Text]]


class Command(BaseCommand):
    help = "Updates and compiles the message catalogues; --check only says what is missing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("areas", nargs="*", choices=[*areas.FOLDERS, []], help="only these catalogues")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit 1 if anything is missing"
        )
        parser.add_argument("--compile", action="store_true", help="only write the .mo files")
        parser.add_argument("--prune", action="store_true", help="drop translations whose text is gone")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        chosen = list(options["areas"]) or list(areas.FOLDERS)
        if options["compile"]:
            self.compile(root, chosen)
            return
        try:
            found = texts_by_area(areas.sources(root))
            if options["check"]:
                self.check_only(root, chosen, found)
            else:
                # Several people may run this at once; the second waits for the first.
                with (Path(tempfile.gettempdir()) / "ballast-messages.lock").open("w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    self.update(root, chosen, found, prune=options["prune"])
        except (Unreadable, ValueError) as error:
            raise CommandError(str(error)) from None

    def update(self, root: Path, chosen: list[str], found: Found, *, prune: bool) -> None:
        borrow = self.translations(root)
        for area in chosen:
            path = areas.catalogue_path(root, area)
            texts = found.get(area, {}).values()
            if not texts and not path.exists():
                continue
            merged = catalogues.merge(catalogues.load(path), texts, borrow)
            catalogues.store(path, catalogues.rendered(merged, prune=prune))
            catalogues.compile_file(path)
            missing = len(checks.problems(merged, texts))
            self.stdout.write(f"{area}: {len(texts)} texts, {missing} to mend")

    def check_only(self, root: Path, chosen: list[str], found: Found) -> None:
        lines = []
        for area in chosen:
            catalogue = catalogues.load(areas.catalogue_path(root, area))
            for problem in checks.problems(catalogue, found.get(area, {}).values()):
                lines.append(f"{area}: {problem}")
        for line in lines:
            self.stderr.write(line)
        if lines:
            raise CommandError(f"{len(lines)} translations to mend", returncode=1)
        self.stdout.write("All texts are translated.")

    def compile(self, root: Path, chosen: list[str]) -> None:
        for area in chosen:
            path = areas.catalogue_path(root, area)
            if path.exists():
                catalogues.compile_file(path)

    def translations(self, root: Path) -> dict[tuple[str, str], str]:
        """Every finished translation of every catalogue; the look's own win."""
        known: dict[tuple[str, str], str] = {}
        for area in areas.FOLDERS:
            catalogue = catalogues.load(areas.catalogue_path(root, area))
            for name, message in catalogues.messages(catalogue).items():
                if catalogues.first(message) and not message.fuzzy:
                    known[name] = catalogues.first(message)
        return known
