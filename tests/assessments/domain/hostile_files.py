"""Uploads that are made to hurt, each with the rule that refuses it."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from assessments.domain.dimensions import Dimension
from frontend.workbooks import Sheet, write_workbook
from tests.assessments.domain.small_matrix import practice, trees

Files = list[tuple[str, bytes]]
MANY = [f"REL-{number:02}" for number in range(1, 100)]


def one_file(documents: dict[str, Any]) -> bytes:
    named = {name.removesuffix(".yaml"): tree for name, tree in documents.items()}
    return json.dumps({"format": "ballast-matrix/1", "documents": named}, ensure_ascii=False).encode()


def with_reliability(practices: list[Any]) -> bytes:
    """The small matrix with other practices of reliability, none of them core."""
    documents = copy.deepcopy(trees())
    documents["reliability.yaml"]["practices"] = practices
    index = documents["matrix.yaml"]
    index["practices"] = [each for each in index["practices"] if not each["id"].startswith("REL")]
    index["practices"] += [{"id": each["id"], "core": False} for each in practices]
    index["quick_scan"].remove("REL-01")
    index["quick_swaps_train"] = {}
    return one_file(documents)


def needing(count: int) -> bytes:
    """99 practices, each of which needs the `count` that follow in a circle."""
    plain = practice(Dimension.REL, 2)
    return with_reliability(
        [
            plain
            | {"id": name, "needs": [{"practice": MANY[(at + n + 1) % 99], "level": 1} for n in range(count)]}
            for at, name in enumerate(MANY)
        ]
    )


def long_clauses() -> bytes:
    """As many clauses as fit, with texts over which careless patterns would run for minutes."""
    found = []
    for name in MANY[:45]:
        one = json.loads(json.dumps(practice(Dimension.REL, 1)).replace("REL-01", name)) | {"core": False}
        for each in one["clauses"]:
            each |= {"zh": "二" * 600, "en": "not " * 100 + "9" * 600}
        found.append(one)
    return with_reliability(found)


def zipped(parts: Iterator[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return out.getvalue()


@lru_cache(maxsize=1)
def workbook() -> bytes:
    matrix = (("key", "value"), ("format", "ballast-matrix/1"), ("version", "1"))
    return write_workbook([Sheet("Matrix", matrix), Sheet("Practices", (("id", "ask"), ("REL-01", "SRE")))])


def book(old: bytes, new: bytes, *, part: str = "xl/worksheets/sheet2.xml", more: str = "") -> bytes:
    """The workbook with bytes of a part replaced, or with one more part."""

    def parts() -> Iterator[tuple[str, bytes]]:
        with zipfile.ZipFile(io.BytesIO(workbook())) as archive:
            for name in archive.namelist():
                content = archive.read(name)
                yield name, content.replace(old, new, 1) if name == part else content
        if more:
            yield more, b"<x/>"

    return zipped(parts())


END = b"</sheetData>"


def rows(count: int) -> bytes:
    return b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (n, n) for n in range(3, count)) + END


def corpus() -> dict[str, tuple[Files, str]]:
    """Name to (files, rule or code of the refusal)."""
    doctype = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet'
    formula = b'<row r="3"><c r="A3"><f>1+1</f><v>2</v></c></row>' + END
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' + END
    wide = b"".join(b'<row r="%d">' % n + b"<c><v>1</v></c>" * 500 + b"</row>" for n in range(3, 250)) + END
    keys = {f"zz{number}": 1 for number in range(20_000)}
    plain = practice(Dimension.REL, 2)
    clauses = practice(Dimension.REL, 1) | {"core": False}
    clauses["clauses"] = clauses["clauses"] * 400
    found: dict[str, tuple[str, bytes, str]] = {
        "deep YAML": ("a.yaml", b"[" * 1_900_000, "file.depth"),
        "deep JSON": ("a.json", b'{"a":' * 300_000, "file.depth"),
        "indented YAML": ("a.yaml", b"".join(b" " * n + b"a:\n" for n in range(1900)), "yaml.depth"),
        "alias bomb": ("a.yaml", b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "yaml.alias"),
        "tag": ("a.yaml", b"a: !!python/object/apply:os.system [id]\n", "yaml.tag"),
        "wide YAML": ("a.yaml", b"- a\n" * 480_000, "yaml.size"),
        "wide YAML in one line": ("a.yaml", b"[" + b"1," * 950_000 + b"]", "file.values"),
        "wide JSON": ("a.json", b"[" + b"1," * 950_000 + b"1]", "file.values"),
        "keys": ("a.yaml", b"".join(b"k%d: 1\n" % n for n in range(150_000)), "yaml.size"),
        "documents": ("a.yaml", b"--- a\n" * 300_000, "yaml.size"),
        "comments": ("a.yaml", b"#\n" * 950_000, "yaml.empty"),
        "long text": ("a.yaml", b"a: " + b"x" * 1_900_000, "text.length"),
        "escapes": ("a.json", b'{"a": "' + b"\\u0041" * 300_000 + b'"}', "text.length"),
        "long number": ("a.json", b'{"format":' + b"9" * 1_900_000 + b"}", "text.length"),
        "lines": ("a.json", b"{" + b"\n" * 1_900_000 + b"}", "matrix.format"),
        "too large": ("a.yaml", b"a" * 2_000_001, "file.size"),
        "NUL": ("a.yaml", b"a: \x00", "text.character"),
        "hidden direction": ("a.yaml", "a: b\u202ec".encode(), "text.character"),
        "half a character": ("a.json", b'{"format": "\\ud800"}', "text.character"),
        "UTF-16": ("a.yaml", "a: b".encode("utf-16"), "file.encoding"),
        "Latin-1": ("a.yaml", "format: x\na: é".encode("latin-1"), "file.encoding"),
        "empty": ("a.yaml", b" \n", "file.empty"),
        "duplicate key": ("a.yaml", b"format: ballast-matrix/1\n" * 2, "yaml.duplicate-key"),
        "NaN": ("a.json", b'{"format": NaN}', "json.syntax"),
        "circle": ("a.json", needing(20), "needs.cycle"),
        "too many needs": ("a.json", needing(25), "needs.count"),
        "unknown keys": ("a.json", with_reliability([plain | keys]), "schema.unknown-key"),
        "clauses": ("a.json", with_reliability([clauses]), "clause.count"),
        "zip bomb": ("a.xlsx", zipped(iter([("xl/workbook.xml", b"0" * 20_000_000)])), "workbook.size"),
        "no zip": ("a.xlsx", b"PK\x03\x04garbage", "workbook.unreadable"),
        "no workbook": ("a.xlsx", zipped(iter([("readme.txt", b"x")])), "workbook_unreadable"),
        "entity": ("a.xlsx", book(b"<worksheet", doctype), "workbook.entities"),
        "macro": ("a.xlsx", book(b"", b"", more="xl/vbaProject.bin"), "workbook.parts"),
        "external link": ("a.xlsx", book(b"", b"", more="xl/externalLinks/link1.xml"), "workbook.parts"),
        "formula": ("a.xlsx", book(END, formula), "workbook_formula"),
        "rows": ("a.xlsx", book(END, rows(70_000)), "workbook_rows"),
        "far cell": ("a.xlsx", book(END, far), "workbook_rows"),
        "wide rows": ("a.xlsx", book(END, wide), "workbook_columns"),
        "markup": (
            "a.xlsx",
            book(b"<cellXfs", b"<x/>" * 800_000 + b"<cellXfs", part="xl/styles.xml"),
            "workbook.size",
        ),
    }  # fmt: skip
    return {name: ([(file, data)], rule) for name, (file, data, rule) in found.items()}
