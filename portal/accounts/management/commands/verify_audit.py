"""`manage.py verify_audit`: recompute the chains of the record and name the first broken link."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.accounts import selectors as people
from portal.audit import selectors, services
from portal.errors import NotFound


class Command(BaseCommand):
    help = (
        "Checks every organisation's chain of audit entries, or one by --organisation. "
        "Exit 0: all whole. Exit 1: a chain is broken. Exit 2: no such organisation."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--organisation", metavar="SLUG", help="check only this one")

    def handle(self, *args: Any, **options: Any) -> None:
        broken = 0
        for name, organisation_id in self.chosen(options["organisation"]):
            result = services.verify_chain(organisation_id)
            if result.ok:
                self.stdout.write(f"{name}: whole, {result.checked} entries, newest {result.head}")
            else:
                broken += 1
                self.stderr.write(f"{name}: BROKEN at entry {result.first_broken} ({result.reason})")
        if broken:
            raise CommandError(f"{broken} broken", returncode=1)

    def chosen(self, slug: str | None) -> list[tuple[str, Any]]:
        """(name to print, id); also chains whose organisation is gone, under their id."""
        if slug:
            try:
                return [(slug, people.organisation_by_slug(slug).pk)]
            except NotFound as error:
                raise CommandError(f"{slug}: {error.message}", returncode=2) from None
        slugs = people.slugs()
        recorded = {found: slugs.get(found, str(found)) for found in selectors.organisations_with_entries()}
        names = {**recorded, **slugs}
        return sorted((name, found) for found, name in names.items())
