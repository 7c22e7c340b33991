"""Data in, PDF out, in a limited child process. Why: docs/decisions/0009 (PDFs are typeset by Typst)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from portal.errors import Refused, TooLarge

CHILD = Path(__file__).with_name("typst_child.py")
# The root that Typst sees: our templates and nothing else.
TEMPLATES = Path(__file__).resolve().parents[2] / "frontend" / "reports"
# Templates that are documents; the other files there are their parts.
DOCUMENTS = ("maturity",)
WALL_SECONDS = 20
CPU_SECONDS = 20
MEMORY_BYTES = 1536 * 1024 * 1024
DATA_BYTES = 4 * 1024 * 1024
PDF_BYTES = 20 * 1024 * 1024
DEPTH = 30
# Marks that change the direction or the look of the text around them; the report prints what it says.
INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp"})
NEVER_TEXT = frozenset({"Cs", "Co", "Cn"})


def compile_pdf(
    template: str, data: Mapping[str, Any], *, language: str, timestamp: datetime, wall: float = WALL_SECONDS
) -> bytes:
    """Typeset `frontend/reports/<template>.typ` with `data` and return the PDF.

    The PDF is tagged (PDF/UA-1 and PDF/A-2u) and the same bytes for the same input; `timestamp` (with time
    zone) becomes its date. Text in `data` is never run as markup; control characters are dropped and a
    character that no font has is printed as its code. Raises Refused: unknown template, data too large
    (TooLarge), time or memory spent, or a template that does not compile.
    """
    job = _job(template, data, language, timestamp)
    process = subprocess.Popen(  # noqa: S603 - fixed words, no shell
        [sys.executable, "-I", str(CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=TEMPLATES,
        env=_environment(),
        start_new_session=True,
    )
    try:
        out, err = process.communicate(json.dumps(job).encode("ascii"), timeout=wall)
    except subprocess.TimeoutExpired:
        raise _refused("time", "") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode != 0:
        raise _failure(process.returncode, err)
    return out


def exists(template: str) -> bool:
    """Whether there is a template with this name."""
    return template in DOCUMENTS


def printable(value: Any, depth: int = 0) -> Any:
    """A JSON value whose texts can be typeset: no control or invisible marks, no half characters.

    Tab becomes a space and every line end a line feed. Code points that are never text become `[U+…]`.
    Raises TooLarge below 30 levels.
    """
    if depth > DEPTH:
        raise TooLarge("report_too_deep", _("The data of the report is nested too deeply."))
    if isinstance(value, str):
        return _printable_text(value)
    if isinstance(value, Mapping):
        return {_printable_text(str(key)): printable(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [printable(each, depth + 1) for each in value]
    return value


def page_count(pdf: bytes) -> int | None:
    """The number of pages, read from the root of the page tree; None where it cannot be found."""
    counts = re.findall(rb"/Type\s*/Pages\b.{0,200}?/Count (\d+)", pdf, re.S)
    return max(map(int, counts)) if counts else None


def _printable_text(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(map(_printable_char, unicodedata.normalize("NFC", text)))


def _printable_char(char: str) -> str:
    if char == "\n":
        return char
    if char == "\t":
        return " "
    category = unicodedata.category(char)
    if category in INVISIBLE or "\ufe00" <= char <= "\ufe0f":
        return ""
    return f"[U+{ord(char):04X}]" if category in NEVER_TEXT else char


def _job(template: str, data: Mapping[str, Any], language: str, timestamp: datetime) -> dict[str, Any]:
    if not exists(template):
        raise Refused("unknown_template", _("There is no report template with this name."), place="template")
    clean = printable(data)
    if len(json.dumps(clean, allow_nan=False)) > DATA_BYTES:
        raise TooLarge("report_too_large", _("The data of the report is larger than 4 MB."))
    return {
        "template": str(TEMPLATES / f"{template}.typ"),
        "root": str(TEMPLATES),
        "fonts": _font_folders(),
        "data": clean,
        "language": "zh" if language.lower().startswith("zh") else "en",
        "timestamp": int(timestamp.timestamp()),
        "cpu_seconds": CPU_SECONDS,
        "wall_seconds": WALL_SECONDS,
        "memory_bytes": MEMORY_BYTES,
        "pdf_bytes": PDF_BYTES,
    }


def _font_folders() -> list[str]:
    """Folders of the two font wheels, found without importing them."""
    folders = []
    for package, inside in (("fontpkg_inter", "files"), ("manimgx_fonts_cjk", "")):
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise Refused("font_missing", _("A font package is missing: %(name)s.") % {"name": package})
        folders.append(str(Path(spec.submodule_search_locations[0]) / inside))
    return folders


def _environment() -> dict[str, str]:
    """Nothing of ours, two threads, and no way out for a template that asks for a package."""
    nowhere = "http://127.0.0.1:9"
    fixed = {
        "MALLOC_ARENA_MAX": "2",
        "RAYON_NUM_THREADS": "2",
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "LC_ALL": "C.UTF-8",
    }
    return fixed | {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


def _failure(status: int, err: bytes) -> Refused:
    """What the child's end means."""
    if status == -signal.SIGXCPU or status in {-signal.SIGALRM, -signal.SIGKILL}:
        return _refused("time", "")
    if status in {-signal.SIGABRT, -signal.SIGSEGV}:
        return _refused("memory", "")
    try:
        answer = json.loads(err.decode("utf-8", "replace").strip().splitlines()[-1])
        return _refused(str(answer["code"]), str(answer["detail"]))
    except (ValueError, KeyError, IndexError, TypeError):
        text = err.decode("utf-8", "replace")
        return _refused("memory" if "memory" in text.lower() else "template", text[-2000:])


def _refused(code: str, detail: str) -> Refused:
    messages = {
        "time": _("The report took longer than %(seconds)s seconds to typeset.") % {"seconds": WALL_SECONDS},
        "memory": _("The report needs more memory than it may use."),
        "size": _("The finished report is larger than 20 MB."),
        "template": _("The report could not be typeset."),
    }
    known = code if code in messages else "template"
    return Refused(
        f"report_{known}",
        messages[known],
        extra={"detail": detail} if detail else None,
        retryable=known in {"time", "memory"},
    )
