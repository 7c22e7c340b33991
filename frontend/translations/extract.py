"""Finds the texts that Python code and Django templates mark for translation."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from babel.messages.extract import extract
from django.utils.translation.template import templatize

from frontend.translations.areas import Source

# Function -> positions of its texts, as Babel writes them; "c" marks a context.
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """One message: `plural` and `context` are empty where it has none."""

    context: str
    singular: str
    plural: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What gettext looks a message up by."""
        return self.context, self.singular


class Unreadable(Exception):
    """A file cannot be parsed; says which one and why."""


def texts_in(code: str, *, template: bool, name: str) -> set[Text]:
    """The texts of one file's content. Raises Unreadable with the file's name."""
    try:
        if template:
            # Without indentation, what templatize leaves between the calls parses as Python as well.
            code = "\n".join(line.strip() for line in templatize(code, origin=name).splitlines())
        stream = io.BytesIO(code.encode("utf-8"))
        found = list(extract("python", stream, keywords=KEYWORDS, options={"encoding": "utf-8"}))
    except Exception as error:
        raise Unreadable(f"{name}: {error}") from error
    return {text for _line, message, _comments, context in found if (text := _text(message, context))}


def _text(message: str | tuple[str, ...], context: str | None) -> Text | None:
    parts = (message,) if isinstance(message, str) else message
    if not parts or not parts[0]:
        return None
    return Text(context or "", parts[0], parts[1] if len(parts) > 1 else "")


def texts_by_area(files: Iterable[Source]) -> dict[str, dict[tuple[str, str], Text]]:
    """Area -> key -> text. A text that one place uses with a plural keeps it everywhere in its area."""
    areas: dict[str, dict[tuple[str, str], Text]] = {}
    for source in files:
        inside = areas.setdefault(source.area, {})
        for text in _of(source):
            known = inside.get(text.key)
            if known is None or not known.plural:
                inside[text.key] = text
    return areas


def _of(source: Source) -> Iterator[Text]:
    code = source.path.read_text(encoding="utf-8")
    yield from texts_in(code, template=source.path.suffix != ".py", name=source.name)
