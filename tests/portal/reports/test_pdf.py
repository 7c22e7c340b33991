"""What the finished PDF holds: tags, fonts, every glyph, the numbers of the data."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pikepdf
import pytest
from pypdf import PdfReader

from frontend.templatetags.ui import number
from portal.reports import compiler

from .conftest import LANGUAGES, SAMPLE


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def squeezed(text: str) -> str:
    """Without any space: extraction decides freely where it puts some."""
    return re.sub(r"\s+", "", text)


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def elements(node: Any) -> Iterator[Any]:
    """All structure elements below a node, in reading order."""
    kids = node.get("/K")
    if kids is None:
        return
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def pdf(pdfs: dict[str, bytes], language: str) -> bytes:
    return pdfs[language]


def test_it_declares_both_standards_its_language_and_its_title(pdf: bytes, language: str) -> None:
    with opened(pdf) as document:
        meta = document.open_metadata()
        assert meta["pdfuaid:part"] == "1"
        assert (meta["pdfaid:part"], meta["pdfaid:conformance"]) == ("2", "U")
        assert str(document.Root.Lang).lower() == {"en": "en", "zh-hans": "zh-cn"}[language]
        assert document.Root.MarkInfo.Marked
        assert document.Root.ViewerPreferences.DisplayDocTitle
        assert meta["dc:title"] == SAMPLE["title"]
        assert document.Root.Outlines.Count


def test_the_structure_has_headings_tables_and_described_figures(pdf: bytes) -> None:
    with opened(pdf) as document:
        found = list(elements(document.Root.StructTreeRoot))
        kinds = [str(each.S) for each in found]
        headings = [int(kind[2]) for kind in kinds if re.fullmatch(r"/H[1-6]", kind)]
        assert headings.count(1) >= 8
        # No heading skips a level on the way down.
        assert all(after - before <= 1 for before, after in pairwise(headings))
        assert kinds.count("/TH") > 50 and kinds.count("/TD") > 500
        figures = [each for each in found if str(each.S) == "/Figure"]
        assert len(figures) >= 4
        assert all(str(each.get("/Alt", "")).strip() for each in figures)


def test_every_font_is_embedded_and_one_of_ours(pdf: bytes) -> None:
    with opened(pdf) as document:
        names = set()
        for item in document.objects:
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor":
                assert any(key in item for key in ("/FontFile", "/FontFile2", "/FontFile3"))
                names.add(str(item.FontName).split("+")[-1].split("-")[0])
        assert names <= {"Inter", "NotoSansCJKsc", "DejaVuSansMono"}
        assert {"Inter", "NotoSansCJKsc"} <= names


def test_no_glyph_is_missing(pdf: bytes) -> None:
    """Glyph 0 is the box that fonts draw for what they do not have."""
    shown = 0
    with opened(pdf) as document:
        for page in document.pages:
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) not in {"Tj", "TJ"}:
                    continue
                parts = operands[0] if str(operator) == "TJ" else operands
                for part in parts:
                    if isinstance(part, pikepdf.String):
                        raw = bytes(part)
                        glyphs = [raw[index : index + 2] for index in range(0, len(raw), 2)]
                        assert b"\0\0" not in glyphs
                        shown += len(glyphs)
    assert shown > 10_000
    assert "\ufffd" not in text_of(pdf)


def test_the_text_can_be_read_back_in_both_scripts(pdf: bytes, language: str) -> None:
    text = squeezed(text_of(pdf))
    assert "华北-B" in text
    assert squeezed(SAMPLE["executive"]["verdict"]) in text
    for practice in SAMPLE["practices"]:
        assert squeezed(practice["title"]) in text
        assert practice["id"] in text
        assert squeezed(practice["note"]) in text
    words = {"en": ("Scorecard", "Roadmap", "Glossary"), "zh-hans": ("记分卡", "路线图", "术语")}
    assert all(word in text for word in words[language])


def test_the_numbers_are_those_of_the_pages(pdf: bytes) -> None:
    """Every score as `{% score %}` prints it, in one row with the name of its dimension."""
    text = squeezed(text_of(pdf))
    for each in SAMPLE["dimensions"]:
        row = "".join(number(each[view], 2) for view in ("score", "demonstrated", "claimed"))
        assert f"{each['name']}{row}" in text
    assert number(SAMPLE["overall"]["score"], 2) in text
    for side in ("a", "b"):
        assert number(SAMPLE["comparison"][side]["overall"], 2) in text
    road = SAMPLE["roadmap"]
    assert f"{number(road['score_before'], 2)}→{number(road['score_after'], 2)}" in text
    assert squeezed(f"{number(road['money'])}{road['currency']}") in text


def test_header_and_footer_say_what_it_is_and_where_you_are(pdf: bytes) -> None:
    pages = PdfReader(io.BytesIO(pdf)).pages
    for index, page in enumerate(pages[1:], start=2):
        text = squeezed(page.extract_text())
        assert f"{index}/{len(pages)}" in text
        assert SAMPLE["matrix"]["sha256"][:12] in text
        assert "华北-B" in text
    assert "chaosctl" not in text_of(pdf)


def test_the_executive_part_takes_one_page(pdf: bytes, language: str) -> None:
    pages = [squeezed(page.extract_text()) for page in PdfReader(io.BytesIO(pdf)).pages]
    heading = {"en": "2Scorecard", "zh-hans": "2记分卡"}[language]
    assert heading in pages[2] and heading not in pages[1]


def test_the_same_input_gives_the_same_bytes(
    pdfs: dict[str, bytes], typeset: Callable[..., bytes], sample: dict[str, Any]
) -> None:
    assert typeset(sample, "zh-hans") == pdfs["zh-hans"]


def test_pages_are_counted(pdf: bytes) -> None:
    assert compiler.page_count(pdf) == len(PdfReader(io.BytesIO(pdf)).pages)
    assert compiler.page_count(b"") is None


def test_a_report_without_scores_roadmap_and_comparison_is_whole(
    typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    small["overall"] |= {"status": "incomplete", "score": None, "claimed": None, "demonstrated": None}
    small["overall"]["weakest"] = None
    for each in small["dimensions"]:
        each |= {"status": "incomplete", "score": None, "claimed": None, "demonstrated": None}
        each |= {"level": None, "weakest": None}
    small["practices"] = []
    small["executive"] |= {"weak_points": [], "decisions": [], "mix": [], "confidence": []}
    small["cluster"] |= {"gpu_sku": "", "gpu_count": 0, "engine": "", "services": []}
    text = squeezed(text_of(typeset(small)))
    for heading in (
        "3Comparison",
        "4Roadmap",
        "5Decisionsandtheirprice",
        "6Controlmapping",
        "8AppendixB:evidence",
    ):
        assert heading in text
    assert "Notrated" in text
