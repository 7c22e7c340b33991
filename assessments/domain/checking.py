"""Whether an upload is a matrix: what the loader finds are errors, writing rules warn, all with a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assessments.domain.linter import lint
from assessments.domain.loader import CONTROLS_FILE, load_documents
from assessments.domain.matrix import Matrix
from assessments.domain.overlay_parts import practices
from assessments.domain.problems import MatrixErrors, Problem
from assessments.domain.tree_reading import MAX_FINDINGS, Finding, UploadErrors
from assessments.domain.trees import Pairs, Tree, Written, items_of, text_of, write

MAX_VERSION_CHARACTERS = 20
MAX_NEEDS = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """A matrix that can be used: parsed, as documents in one canonical layout, with its warnings.

    `warning_count` may exceed the number of `warnings`, of which at most 200 are kept.
    """

    matrix: Matrix
    documents: dict[str, str]
    warnings: tuple[Finding, ...]
    warning_count: int


def check_documents(trees: Mapping[str, Tree], *, source: str = "") -> Checked:
    """The matrix of documents as trees (file name to tree).

    The documents are written anew, so comments and layout of the source do not survive. Raises UploadErrors
    with every problem of the loader at its place in the source; `source` is the place of what has none.
    """
    before = [*_too_much(trees), *_foreign_files(trees, source)]
    if before:
        raise UploadErrors(before)
    written = {name: write(tree) for name, tree in trees.items()}
    documents = {name: each.text for name, each in written.items()}
    try:
        matrix = load_documents(documents)
    except MatrixErrors as error:
        raise UploadErrors(_placed(error.problems, written, source)) from None
    if len(matrix.version) > MAX_VERSION_CHARACTERS or not matrix.version.isprintable():
        message = (
            f"the version has more than {MAX_VERSION_CHARACTERS} characters, or some that nobody can see"
        )
        raise UploadErrors([Finding(source or "version", "version.length", message)])
    warnings = tuple(_warnings(matrix, trees, source))
    return Checked(matrix, documents, warnings[:MAX_FINDINGS], len(warnings))


def _warnings(matrix: Matrix, trees: Mapping[str, Tree], source: str) -> Iterable[Finding]:
    """The broken writing rules, each at the id of its practice or clause."""
    places: dict[str, str] = {}
    for practice in practices(trees):
        for entry in (practice, *items_of(practice.get("clauses"))):
            name = entry.get("id") if isinstance(entry, Pairs) else None
            if name is not None:
                places.setdefault(text_of(name), name.place)
    for each in lint(matrix):
        subject = each.message.split(":", 1)[0].split(" ", 1)[0]
        yield Finding(places.get(subject, source or each.file), each.rule, each.message)


def _placed(problems: Iterable[Problem], written: Mapping[str, Written], source: str) -> Iterable[Finding]:
    for each in problems:
        lines = written[each.file].places if each.file in written else ()
        if 0 < each.line <= len(lines):
            place = lines[each.line - 1]
        elif lines:
            place = lines[0].rpartition(":")[0] or lines[0]
        else:
            place = source or each.file
        message = each.message if each.file in written else f"{each.file}: {each.message}"
        yield Finding(place, each.rule, message)


def _foreign_files(trees: Mapping[str, Tree], source: str) -> Iterable[Finding]:
    """The list of controls is ours: its titles are outside the hash, so two uploads could differ unseen."""
    if CONTROLS_FILE in trees:
        yield Finding(source or CONTROLS_FILE, "file.unknown", "the list of NIST controls cannot be uploaded")


def _too_much(trees: Mapping[str, Tree]) -> Iterable[Finding]:
    """Prerequisites are followed from practice to practice, so there must not be thousands of them."""
    for practice in practices(trees):
        needs = practice.get("needs")
        if needs is not None and len(items_of(needs)) > MAX_NEEDS:
            yield Finding(needs.place, "needs.count", f"more than {MAX_NEEDS} prerequisites")
