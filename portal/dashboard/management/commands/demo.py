"""Load the demo organisation (three clusters, their dossiers); does nothing where it is there."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation

from portal.dashboard import demo


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        system = os.environ.get("LANG", "")
        parser.add_argument(
            "--language",
            choices=["en", "zh-hans"],
            default="zh-hans" if system.startswith("zh") else "en",
            help="language of notes and titles (default: that of the system)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"]):
            loaded = demo.load(options["language"])
        if options["verbosity"]:
            self.stdout.write("Demo loaded." if loaded else "The demo is there already.")
