"""Serves single files straight from installed wheels, so that nothing third-party is committed.

htmx needs no entry: django-htmx is an installed app with static files of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage

# static path -> (distribution's package, path inside it)
FILES: dict[str, tuple[str, str]] = {
    "vendor/plotly.min.js": ("plotly", "package_data/plotly.min.js"),
    "vendor/inter.ttf": ("fontpkg_inter", "files/Inter[opsz,wght].ttf"),
}


def _source(static_path: str) -> Path | None:
    """Where the file lies on disk; None when the wheel is not installed or no longer ships it."""
    package, inside = FILES[static_path]
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / inside
    return path if path.is_file() else None


class WheelStorage(FileSystemStorage):
    """Read-only storage whose names are the keys of FILES."""

    def path(self, name: str) -> str:
        source = _source(name) if name in FILES else None
        if source is None:
            raise FileNotFoundError(f"{name} is not a file that a wheel provides")
        return str(source)

    def exists(self, name: str) -> bool:
        return name in FILES and _source(name) is not None


class WheelFinder(BaseFinder):
    """Finds exactly the files listed in FILES and nothing beside them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = WheelStorage()

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        return [
            Error(f"{path} is missing: the package {package} does not provide it", id="frontend.E001")
            for path, (package, _inside) in FILES.items()
            if _source(path) is None
        ]

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        source = _source(path) if path in FILES else None
        if source is None:
            return []
        return [str(source)] if find_all else str(source)

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, WheelStorage]]:
        for path in FILES:
            if self.storage.exists(path):
                yield path, self.storage
