"""What differs between two matrices, whether stored here or in files.

    python manage.py matrix_diff A B [--json]

A and B are the SHA-256 of a stored version or draft (4 characters or more, as long as only one begins so), a
version name such as 2.3, a file (YAML, JSON, XLSX; a whole matrix or an overlay) or a folder of YAML files.
Exit 0 with the differences on stdout, 2 with every problem and its place on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments import matrix_selectors
from assessments.domain.loader import CONTROLS_FILE, INDEX_FILE, load_documents, read_folder
from assessments.domain.matrix import Matrix
from assessments.domain.matrix_diff import MatrixDiff, PracticeChange, diff
from assessments.domain.matrix_files import DOCUMENTS, MAX_FILES
from assessments.domain.shipped import FOLDER
from assessments.domain.tree_reading import MAX_UPLOAD_BYTES, UploadErrors
from assessments.services.custom_matrices import Base, read_files
from portal.errors import NotFound, Refused

BAD_INPUT = 2
SHORTEST = 4


class Command(BaseCommand):
    """See the module; the JSON is that of the API (GET …/matrices/difference)."""

    help = "Show what differs between two matrices: practices, texts, clauses, weights, needs, targets."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        side = "SHA-256 or its beginning, a version name, a file, or a folder of YAML files"
        parser.add_argument("a", help=side)
        parser.add_argument("b", help="the same; differences are from a to b")
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        problems: list[str] = []
        sides = [_side(options[name], problems) for name in ("a", "b")]
        before, after = sides
        if before is None or after is None:
            raise CommandError("\n".join(problems), returncode=BAD_INPUT)
        found = diff(before, after)
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), indent=2, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write("\n".join(lines(found)))


def _side(wanted: str, problems: list[str]) -> Matrix | None:
    """The matrix that an argument names; None, and every problem with its place, where there is none."""
    path = Path(wanted)
    try:
        if wanted and path.exists():
            return _from_files(path)
        return load_documents(_stored(wanted))
    except UploadErrors as error:
        problems.extend(f"{wanted}: {each}" for each in error.findings)
    except OSError as error:
        problems.append(f"{wanted}: {error.strerror}")
    except Refused as error:
        problems.append(f"{wanted}: {error.message}")
    return None


def _from_files(path: Path) -> Matrix:
    paths = sorted(path.glob("*.yaml"))[: MAX_FILES + 1] if path.is_dir() else [path]
    files = []
    for each in paths:
        if each.name == CONTROLS_FILE:
            continue
        with each.open("rb") as opened:
            files.append((each.name, opened.read(MAX_UPLOAD_BYTES + 1)))
    return read_files(files, (FOLDER / INDEX_FILE).read_text("utf-8"), _base).checked.matrix


def _base(wanted: str) -> Base:
    documents = _stored(wanted)
    matrix = load_documents(documents)
    trees = {name: text for name, text in documents.items() if name in DOCUMENTS}
    return Base(matrix.version, matrix.sha256, trees)


def _stored(wanted: str) -> Mapping[str, str]:
    """The files of the shipped matrix, which needs no database, or of a version or draft stored here."""
    shipped = read_folder(FOLDER)
    known = load_documents(shipped)
    name = wanted.strip().removeprefix("V")
    if name == known.version or (len(name) >= SHORTEST and known.sha256.startswith(name)):
        return shipped
    found = matrix_selectors.everywhere(name) if len(name) >= SHORTEST or "." in name else {}
    if len(found) > 1:
        listed = ", ".join(f"V{version} {sha256[:12]}" for sha256, (version, _files) in found.items())
        raise NotFound("matrix_ambiguous", f"names more than one matrix: {listed}")
    if not found:
        raise NotFound("matrix_unknown", "is no file, no version and no SHA-256 of a matrix stored here")
    ((_version, documents),) = found.values()
    return documents


def lines(found: MatrixDiff) -> Iterator[str]:
    """The differences as text, one line each; texts in English, or in Chinese where only that differs."""
    before, after = found.before, found.after
    yield f"V{before.version} {before.sha256[:12]} -> V{after.version} {after.sha256[:12]}"
    counts = len(found.added), len(found.removed), len(found.changed), found.same
    yield "{} added, {} removed, {} changed, {} the same".format(*counts)
    for field in found.fields:
        yield f"  matrix: {field.name} differs"
    for practice in found.added:
        yield f"+ {practice.id} {practice.title.en}"
    for practice in found.removed:
        yield f"- {practice.id} {practice.title.en}"
    for change in found.changed:
        yield f"~ {change.after.id} {change.after.title.en}"
        yield from (f"    {each}" for each in _practice(change))


def _practice(change: PracticeChange) -> Iterator[str]:
    for text in change.texts:
        yield f"{text.part}: {_words(text.before, text.after)}"
    for clause in change.clauses:
        old = clause.before.text if clause.before else None
        new = clause.after.text if clause.after else None
        came = f" (was {clause.before.id})" if clause.before and clause.before.id != clause.id else ""
        yield f"{clause.id} {clause.kind}{came}: {_words(old, new)}"
    if change.weight is not None:
        yield f"weight: {change.weight[0]:g} -> {change.weight[1]:g}"
    for need in change.needs:
        yield f"needs {need.practice}: {_or_none(need.before)} -> {_or_none(need.after)}"
    for target in change.targets:
        yield f"KPI target of level {target.level} differs"
    for field in change.fields:
        yield f"{field.name} differs"


def _or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _words(before: Any, after: Any) -> str:
    if before is None or after is None:
        return str((before or after).en)
    if before == after:
        return str(after.en)
    return f"{before.en} -> {after.en}" if before.en != after.en else f"{before.zh} -> {after.zh}"
