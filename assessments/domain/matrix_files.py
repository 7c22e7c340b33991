"""Uploaded files as the documents of a matrix or as an overlay, whatever form they come in.

One YAML or JSON file with all documents, the seven YAML files of a folder, one XLSX workbook, or an overlay.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from assessments.domain.dimensions import FILES
from assessments.domain.loader import INDEX_FILE
from assessments.domain.matrix_sheets import FORMAT, from_sheets
from assessments.domain.overlays import is_overlay
from assessments.domain.tree_reading import (
    MAX_UPLOAD_BYTES,
    Finding,
    UploadErrors,
    decoded,
    from_json,
    from_yaml,
    refuse,
)
from assessments.domain.trees import Pairs, Tree, text_of, tree_of, write

MAX_FILES = 12
MAX_NAME = 120
# A workbook of the shipped matrix unpacks to about a fifth of this.
MAX_UNPACKED_BYTES = 6_000_000
MAX_PARTS = 200
MAX_MARKUP = 600_000
DOCUMENTS = (INDEX_FILE, *FILES.values())

# Sheet name to rows of texts; the reader of workbooks belongs to the layer that knows the library.
WorkbookReader = Callable[[bytes], Mapping[str, Sequence[Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class Upload:
    """What was uploaded: `documents` of a whole matrix, or an `overlay`; `source` names the file or files."""

    source: str
    documents: Mapping[str, Tree] | None = None
    overlay: Tree | None = None


def read_upload(files: Sequence[tuple[str, bytes]], read_workbook: WorkbookReader, defaults: Pairs) -> Upload:
    """What a list of (name, content) holds. Raises UploadErrors with places in those files.

    `defaults` is the index whose levels and evidence a workbook without such sheets takes.
    """
    named = _named(files)
    if len(named) > 1:
        return Upload(", ".join(named), documents=_folder(named))
    ((name, data),) = named.items()
    if data.startswith(b"PK") or name.endswith(".xlsx"):
        check_archive(name, data)
        return Upload(name, documents=from_sheets(read_workbook(data), defaults))
    tree = _single(name, data)
    if is_overlay(tree):
        return Upload(name, overlay=tree)
    return Upload(name, documents=_one_file(name, tree))


def _named(files: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    if not files:
        raise refuse("file", "file.missing", "no file was sent")
    if len(files) > MAX_FILES:
        raise refuse("file", "file.count", f"more than {MAX_FILES} files")
    named: dict[str, bytes] = {}
    for raw, data in files:
        name = PurePosixPath(raw.replace("\\", "/")).name[:MAX_NAME]
        name = "".join(each for each in name if each.isprintable()) or "file"
        if name in named:
            raise refuse(name, "file.duplicate", "was sent twice")
        named[name] = data
    if sum(len(data) for data in named.values()) > MAX_UPLOAD_BYTES:
        raise refuse("file", "file.size", f"together larger than {MAX_UPLOAD_BYTES} bytes")
    return named


def _single(name: str, data: bytes) -> Tree:
    text = decoded(name, data)
    if not text.strip():
        raise refuse(name, "file.empty", "the file is empty")
    if name.endswith(".json") or text.lstrip()[:1] in ("{", "["):
        return from_json(name, text)
    return from_yaml(name, text)


def _folder(named: Mapping[str, bytes]) -> dict[str, Tree]:
    """The files of a folder; each must be one of the seven."""
    findings = []
    for name in named:
        if name not in DOCUMENTS:
            message = f"a matrix has no such file (known: {', '.join(DOCUMENTS)})"
            findings.append(Finding(name, "file.unknown", message))
    trees: dict[str, Tree] = {}
    for name, data in named.items():
        try:
            trees[name] = _single(name, data)
        except UploadErrors as error:
            findings.extend(error.findings)
    if findings:
        raise UploadErrors(findings)
    return trees


def _one_file(name: str, tree: Tree) -> dict[str, Tree]:
    """`{format, documents: {matrix: …, reliability: …}}`; the names may end in .yaml."""
    if not isinstance(tree, Pairs):
        raise refuse(tree.place, "matrix.format", "must be a mapping with format and documents")
    findings = []
    for key, value in tree.pairs:
        if key.text not in ("format", "documents"):
            message = f"unknown key {key.text!r:.80} (known: documents, format)"
            findings.append(Finding(value.place, "schema.unknown-key", message))
    if len(tree.pairs) != len(set(tree.keys())):
        findings.append(Finding(tree.place, "yaml.duplicate-key", "a key appears more than once"))
    if text_of(tree.get("format")) != FORMAT:
        findings.append(
            Finding(tree.place, "matrix.format", f"format must be {FORMAT} (or ballast-overlay/1)")
        )
    documents = tree.get("documents")
    found: dict[str, Tree] = {}
    for file, value in _documents(documents, name, findings):
        if file in found:
            findings.append(Finding(value.place, "yaml.duplicate-key", f"{file} appears more than once"))
        found[file] = value
    if findings:
        raise UploadErrors(findings)
    return found


def _documents(documents: Tree | None, name: str, findings: list[Finding]) -> Iterator[tuple[str, Tree]]:
    if not isinstance(documents, Pairs):
        place = documents.place if documents is not None else name
        findings.append(Finding(place, "matrix.format", "documents must be a mapping of file names"))
        return
    for key, value in documents.pairs:
        file = key.text if key.text.endswith(".yaml") else f"{key.text}.yaml"
        if file not in DOCUMENTS:
            known = ", ".join(each.removesuffix(".yaml") for each in DOCUMENTS)
            message = f"{key.text!r:.80} is no document of a matrix (known: {known})"
            findings.append(Finding(key.place, "file.unknown", message))
        else:
            yield file, value


def check_archive(name: str, data: bytes) -> None:
    """Raise UploadErrors for a workbook that unpacks too far or brings more than cells.

    Sizes come from the directory of the archive, before anything is unpacked; no part is read beyond what the
    directory says.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
                raise refuse(name, "workbook.size", f"unpacks to more than {MAX_UNPACKED_BYTES} bytes")
            markup = 0
            for part in parts:
                _check_part(name, part)
                content = archive.read(part)
                markup += content.count(b"<")
                if _declares(part, content):
                    message = f"{part.filename:.80} declares entities or is not UTF-8"
                    raise refuse(name, "workbook.entities", message)
                if markup > MAX_MARKUP:
                    raise refuse(name, "workbook.size", "has more cells than a matrix needs")
    except UploadErrors:
        raise
    except Exception:  # a damaged archive raises whatever its compression makes it raise
        raise refuse(name, "workbook.unreadable", "is no readable XLSX workbook") from None


def _declares(part: zipfile.ZipInfo, content: bytes) -> bool:
    """Whether an XML part declares a document type, or hides one in UTF-16."""
    if not part.filename.casefold().endswith((".xml", ".rels", ".vml")):
        return False
    upper = content.upper()
    return b"<!DOCTYPE" in upper or b"<!ENTITY" in upper or b"\x00" in content


def _check_part(name: str, part: zipfile.ZipInfo) -> None:
    inside = part.filename.casefold()
    if part.flag_bits & 1:
        raise refuse(name, "workbook.encrypted", "is protected by a password")
    if "vbaproject" in inside or "externallinks/" in inside or "embeddings/" in inside or "activex" in inside:
        raise refuse(name, "workbook.parts", f"brings {part.filename:.80}; a matrix has only cells")


def one_file(documents: Mapping[str, Tree]) -> str:
    """The documents as one YAML file that `read_upload` reads back."""
    whole = tree_of(
        {
            "format": FORMAT,
            "documents": {
                name.removesuffix(".yaml"): documents[name] for name in DOCUMENTS if name in documents
            },
        },
        "",
    )
    return write(whole).text
