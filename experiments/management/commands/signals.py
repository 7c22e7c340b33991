"""`manage.py signals`: the signal catalogue as a list, as JSON, as a page of the documentation, as rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from experiments.domain.reference import as_data, markdown
from experiments.domain.rules import rules_yaml, scope_of
from experiments.domain.signals import catalogue, expressions, stack
from portal.errors import Refused


class Command(BaseCommand):
    """Exit 0; 2 for a stack that does not exist, a scope that no label can hold, or a damaged catalogue."""

    help = "List the logical signals and how each stack measures them; write recording rules."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--list", action="store_true", help="one line per signal (the default)")
        what.add_argument("--json", action="store_true", help="everything the catalogue knows")
        what.add_argument("--rules", action="store_true", help="a rule file for Prometheus")
        what.add_argument("--docs", action="store_true", help="write docs/reference/signals.md anew")
        parser.add_argument("--stack", action="append", default=[], help="only this stack; may be repeated")
        parser.add_argument("--cluster", default="", help="rules: only series of this cluster")
        parser.add_argument("--namespace", default="", help="rules: only series of this namespace")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(self._wanted(options), ending="")
        except Refused as error:
            raise CommandError(str(error), returncode=2) from None

    def _wanted(self, options: dict[str, Any]) -> str:
        stacks: list[str] = options["stack"]
        scope = scope_of(options["cluster"], options["namespace"])
        for each in stacks:
            stack(each)
        if scope and not options["rules"]:
            raise CommandError("--cluster and --namespace belong to --rules", returncode=2)
        if options["rules"]:
            return rules_yaml(stacks, scope)
        if options["json"]:
            return json.dumps(as_data(stacks), ensure_ascii=False, indent=1) + "\n"
        if options["docs"]:
            path = Path(settings.BASE_DIR) / "docs" / "reference" / "signals.md"
            path.write_text(markdown(path.read_text("utf-8")), encoding="utf-8")
            return ""
        return _listing(stacks)


def _listing(stacks: list[str]) -> str:
    lines = []
    for signal in catalogue().signals:
        found = [each.stack for each in expressions(signal.id) if not stacks or each.stack in stacks]
        if found:
            lines.append(
                f"{signal.id:<28} {signal.unit:<12} {','.join(signal.practices):<18} {' '.join(found)}"
            )
    return "\n".join(lines) + "\n"
