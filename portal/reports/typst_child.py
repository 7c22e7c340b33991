"""A program, not a module of the portal: one job from standard input, the PDF to standard output.

It runs in a process of its own (`python -I this_file`), knows neither Django nor the database, and gives
itself limits before it touches the data. What people typed reaches Typst only as JSON in `sys.inputs.data`,
never as markup. Exit status: 0 done, 3 refused (one JSON line on standard error says why).
"""

from __future__ import annotations

import json
import re
import resource
import signal
import sys
from typing import Any, cast

import typst

REFUSED = 3
UNDRAWABLE = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
ATTEMPTS = 4


def limit(job: dict[str, Any]) -> None:
    """Take away what a report does not need: time, memory, files, disk."""
    for kind, value in (
        (resource.RLIMIT_CPU, job["cpu_seconds"]),
        (resource.RLIMIT_AS, job["memory_bytes"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))
    # The parent kills at its own limit; this one holds where the parent itself was killed.
    signal.alarm(job["wall_seconds"] + 5)


def undrawable(message: str) -> set[str]:
    """Characters beyond ASCII that Typst says no font can draw."""
    found: set[str] = set()
    for text in UNDRAWABLE.findall(message):
        plain = ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
        found |= {char for char in plain if ord(char) > 0x7F}
    return found


def replaced(value: Any, table: dict[int, str]) -> Any:
    """The same JSON value with characters replaced in all its texts."""
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, list):
        return [replaced(each, table) for each in value]
    if isinstance(value, dict):
        return {key: replaced(each, table) for key, each in value.items()}
    return value


def compile_job(job: dict[str, Any]) -> bytes:
    """The PDF; a character that no font can draw is printed as its code, `[U+1F600]`."""
    fonts = typst.Fonts(include_system_fonts=False, font_paths=job["fonts"])
    data = job["data"]
    for attempt in range(ATTEMPTS):
        compiler = typst.Compiler(
            job["template"],
            root=job["root"],
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs={"data": json.dumps(data), "language": job["language"]},
        )
        try:
            # Both standards refuse a character that no font can draw, so nothing is left blank.
            pdf = compiler.compile(format="pdf", pdf_standards=["a-2u", "ua-1"], timestamp=job["timestamp"])
        except typst.TypstError as error:
            missing = undrawable(str(error.diagnostic))
            if not missing or attempt == ATTEMPTS - 1:
                raise
            data = replaced(data, {ord(char): f"[U+{ord(char):04X}]" for char in missing})
        else:
            return cast(bytes, pdf)
    raise RuntimeError("no attempt was made")


def refuse(code: str, detail: str) -> int:
    """Say why on standard error and end."""
    sys.stderr.write(json.dumps({"code": code, "detail": detail[:2000]}) + "\n")
    return REFUSED


def main() -> int:
    """Do the one job."""
    job = json.load(sys.stdin.buffer)
    limit(job)
    try:
        pdf = compile_job(job)
    except MemoryError:
        return refuse("memory", "out of memory")
    except Exception as error:
        return refuse("template", str(getattr(error, "diagnostic", "") or repr(error)))
    if len(pdf) > job["pdf_bytes"]:
        return refuse("size", str(len(pdf)))
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
