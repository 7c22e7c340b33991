"""`manage.py api_reference`: write the table of operations into docs/reference/api.md from the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

BEGIN, END = "<!-- operations: begin -->", "<!-- operations: end -->"
METHODS = ("get", "post", "put", "patch", "delete")


def table() -> str:
    """One line per operation: method, path below /api/v1, what it does."""
    with translation.override("en"):
        generator: Any = SchemaGenerator
        schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    lines = ["| method | path | what it does |", "|---|---|---|"]
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                words = " ".join(operations[method].get("description", "").split()).replace("|", "\\|")
                lines.append(f"| {method.upper()} | `{path.removeprefix('/api/v1')}` | {words} |")
    return "\n".join(lines)


class Command(BaseCommand):
    help = "Updates the table of docs/reference/api.md; --check only says whether it is up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "reference" / "api.md"
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        wanted = f"{before}{BEGIN}\n{table()}\n{END}{after}"
        if wanted == text:
            return
        if options["check"]:
            raise CommandError("docs/reference/api.md is out of date: run manage.py api_reference")
        path.write_text(wanted, encoding="utf-8")
