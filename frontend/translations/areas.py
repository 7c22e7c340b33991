"""Which file belongs to which app's catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# Area name -> its folder, longest first so that portal/accounts is not taken for something else.
FOLDERS: dict[str, str] = {
    "accounts": "portal/accounts",
    "audit": "portal/audit",
    "clusters": "portal/clusters",
    "dashboard": "portal/dashboard",
    "reports": "portal/reports",
    "assessments": "assessments",
    "llm_remediation": "llm_remediation",
    "experiments": "experiments",
    "frontend": "frontend",
}
# Folder under frontend/templates -> area; any other folder is the look's own.
TEMPLATES: dict[str, str] = {
    "account": "accounts",
    "accounts": "accounts",
    "allauth": "accounts",
    "mfa": "accounts",
    "registration": "accounts",
    "usersessions": "accounts",
    "assessments": "assessments",
    "audit": "audit",
    "clusters": "clusters",
    "dashboard": "dashboard",
    "experiments": "experiments",
    "llm_remediation": "llm_remediation",
    "reports": "reports",
    "roadmaps": "llm_remediation",
}
# Python outside the apps (portal.api, portal.config, portal.errors) speaks through the look's catalogue.
ROOTS = ("assessments", "experiments", "frontend", "llm_remediation", "portal")
LEFT_OUT = {"migrations", "locale", "static", "__pycache__"}
# Never shown to a customer, so never translated.
UNTRANSLATED = {"frontend/templates/styleguide.html", "frontend/styleguide.py"}
CATALOGUE = "locale/zh_Hans/LC_MESSAGES/django.po"


@dataclass(frozen=True, slots=True)
class Source:
    """A file that may hold texts; `name` is its path from the root of the project."""

    path: Path
    name: str
    area: str


def area_of(name: str) -> str:
    """The area of a file by its path from the root of the project, with forward slashes."""
    parts = name.split("/")
    if parts[:2] == ["frontend", "templates"] and len(parts) > 3:
        return TEMPLATES.get(parts[2], "frontend")
    for area, folder in FOLDERS.items():
        if name.startswith(f"{folder}/"):
            return area
    return "frontend"


def sources(root: Path) -> list[Source]:
    """Every Python file and template under the apps of `root`, sorted by name."""
    found = []
    for folder in ROOTS:
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            if path.suffix not in {".py", ".html", ".txt"} or name in UNTRANSLATED:
                continue
            if LEFT_OUT & set(name.split("/")):
                continue
            if path.suffix == ".txt" and "/templates/" not in name:
                continue
            found.append(Source(path, name, area_of(name)))
    return sorted(found, key=lambda source: source.name)


def catalogue_path(root: Path, area: str) -> Path:
    """Where the Simplified Chinese catalogue of an area lies."""
    return root / FOLDERS[area] / CATALOGUE
