"""What people typed is printed as they typed it, or as its code; it never runs and breaks nothing."""

from __future__ import annotations

import copy
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from portal.errors import TooLarge
from portal.reports import compiler

from .conftest import MOMENT as SAMPLE_MOMENT
from .conftest import SAMPLE

LITERAL = (
    '#read("secret.txt")',
    '#import "@preview/cetz:0.3.0"',
    '#eval("1 + 1")',
    "*bold* _it_ `raw` $x^2$ = H",
    "<script>alert(1)</script> <label> @ref",
    r"\u{41} \ // comment /* no */",
    "#{ while true {} }",
    "[content] (a: 1) => {x}",
    "https://example.com/~a//b",
)


def read(pdf: bytes) -> str:
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    return re.sub(r"\s+", "", text)


def everywhere(data: dict[str, Any], text: str) -> dict[str, Any]:
    """The text in every place that a person can fill."""
    data["organisation"] = data["author"] = data["title"] = text
    data["cluster"] |= {"name": text, "gpu_sku": text, "engine": text}
    data["assessment"]["name"] = text
    data["executive"]["verdict"] = text
    for practice in data["practices"]:
        practice |= {"note": text, "respondent": text, "na": text, "reason": text}
        for item in practice["evidence"]:
            item |= {"title": text, "source": text, "clause": text}
    if data["tradeoffs"]:
        data["tradeoffs"]["roadmap"] = text
        for row in data["tradeoffs"]["decided"]:
            row |= {"reason": text, "owner": text, "decided_by": text, "service": text}
        data["tradeoffs"]["unmeasured"][0]["services"] = [text]
    for row in data["kpis"]:
        row["service"] = text
    return data


@pytest.mark.parametrize("text", LITERAL)
def test_markup_is_text(text: str, typeset: Callable[..., bytes], small: dict[str, Any]) -> None:
    small["practices"][0]["note"] = text
    small["tradeoffs"] = copy.deepcopy(SAMPLE["tradeoffs"])
    small["tradeoffs"]["decided"][0]["reason"] = text
    assert read(typeset(small)).count(re.sub(r"\s+", "", text)) == 2


def test_a_secret_beside_the_templates_is_not_read(
    typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    for name in ("/etc/passwd", "../../manage.py", "data.typ"):
        small["practices"][0]["note"] = f'#read("{name}")'
        found = read(typeset(small))
        assert f'#read("{name}")' in found
        assert "root:" not in found and "DJANGO_SETTINGS" not in found and "sys.inputs" not in found


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("smile 😀 end", "smile[U+1F600]end"),
        ("family 👩‍👩‍👧 end", "family[U+1F469][U+1F469][U+1F467]end"),
        ("cuneiform 𒀀", "cuneiform[U+12000]"),
        ("nul\x00 bell\x07 esc\x1b end", "nulbellescend"),
        ("private \ue000 half \ud800", "private[U+E000]half[U+D800]"),
        ("override \u202egnp.exe", "overridegnp.exe"),
        ("zero\u200bwidth\ufeff soft\u00adhyphen", "zerowidthsofthyphen"),
        ("keycap 1\ufe0f\u20e3 end", "keycap1[U+20E3]end"),
        ("Čeština ελληνικά русский 한국어 日本語", "Češtinaελληνικάрусский한국어日本語"),
        ("line one\r\nline two\u2028three", "lineonelinetwothree"),
        ("e\u0301 combined", "écombined"),
    ],
)
def test_what_no_font_has_is_named(
    typed: str, printed: str, typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    small["practices"][0]["note"] = typed
    assert printed in read(typeset(small))


def test_right_to_left_text_stays_and_keeps_the_rest(
    typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    small["practices"][0]["note"] = "before שלום العربية after"
    found = read(typeset(small))
    assert "before" in found and "after" in found


def test_long_words_break_and_stay_whole_for_copying(
    typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    word = "sk" + "0123456789abcdef" * 40
    pdf = typeset(everywhere(small, word))
    assert read(pdf).count(word) >= 4
    # Nothing is drawn beyond the right edge of the page.
    reader = PdfReader(io.BytesIO(pdf))
    for page in reader.pages[2:]:
        ends: list[float] = []
        page.extract_text(visitor_text=lambda text, cm, tm, font, size, ends=ends: ends.append(tm[4] + cm[4]))
        assert max(ends, default=0) < float(page.mediabox.width)


def test_only_web_addresses_become_links(typeset: Callable[..., bytes], small: dict[str, Any]) -> None:
    items = small["practices"][0]["evidence"]
    items[:] = [
        {**items[0], "source": source}
        for source in (
            "https://example.com/a",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
        )
    ]
    small["practices"] = small["practices"][:1]
    with pikepdf.open(io.BytesIO(typeset(small))) as document:
        targets = [
            str(note.A.URI)
            for page in document.pages
            for note in page.get("/Annots", [])
            if note.get("/A") is not None and "/URI" in note.A
        ]
    assert targets == ["https://example.com/a"]


# Any character at all, half ones included; each example is a whole report.
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=60))
def test_any_text_makes_a_report(text: str, typeset: Callable[..., bytes]) -> None:
    data = json.loads(json.dumps(SAMPLE))
    data |= {"comparison": None, "roadmap": None, "controls": [], "practices": data["practices"][:1]}
    data["executive"] |= {"weak_points": [], "decisions": []}
    assert typeset(everywhere(data, text or "x")).startswith(b"%PDF-1.7")


def test_nested_and_huge_data_is_refused_in_words() -> None:
    deep: Any = "x"
    for _level in range(40):
        deep = [deep]
    with pytest.raises(TooLarge, match="nested"):
        compiler.printable(deep)


def test_templates_never_evaluate_read_or_fetch() -> None:
    files = list(compiler.TEMPLATES.iterdir())
    assert files and all(path.suffix == ".typ" for path in files)
    for path in files:
        source = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert not re.search(r"\b(eval|read|plugin|csv|yaml|toml|xml|cbor)\(", source), path.name
        assert "@preview" not in source and "@local" not in source, path.name
        # The one thing that is parsed is the data.
        assert len(re.findall(r"\bjson\(", source)) == (1 if path.name == "data.typ" else 0)


def test_the_child_keeps_templates_inside_their_folder(tmp_path: Path) -> None:
    """Even a template that wanted to could not read outside its root, or fetch a package."""
    (tmp_path / "secret.txt").write_text("TOPSECRET", encoding="utf-8")
    root = tmp_path / "root"
    root.mkdir()
    for body in ('#read("../secret.txt")', '#read("/etc/passwd")', '#import "@preview/cetz:0.3.0": *'):
        (root / "bad.typ").write_text(body, encoding="utf-8")
        job = {
            **compiler._job("maturity", {}, "en", SAMPLE_MOMENT),
            "template": str(root / "bad.typ"),
            "root": str(root),
        }
        result = subprocess.run(
            [sys.executable, "-I", str(compiler.CHILD)],
            input=json.dumps(job).encode(),
            capture_output=True,
            env=compiler._environment(),
            check=False,
        )
        assert result.returncode == 3
        assert b"TOPSECRET" not in result.stdout + result.stderr and b"root:" not in result.stdout
