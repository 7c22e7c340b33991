"""What is wrong with a translation, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from babel.messages.catalog import Catalog, Message

from frontend.translations.catalogues import first, messages
from frontend.translations.extract import Text

_PLACEHOLDER = re.compile(r"%%|%(?:\((\w+)\))?[-+ 0#]*\d*(?:\.\d+)?[sdifrx]|\{(\w*)\}")
_SPACED = re.compile(r"[一-鿿] [A-Za-z0-9]|[A-Za-z0-9] [一-鿿]")


def placeholders(words: str) -> Counter[str]:
    """The placeholders of a text with how often each stands there; `%%` is a plain percent sign."""
    return Counter(match.group(0) for match in _PLACEHOLDER.finditer(words) if match.group(0) != "%%")


def problems(catalogue: Catalog, texts: Iterable[Text]) -> list[str]:
    """One sentence per fault: texts the catalogue lacks, and everything wrong with those it has."""
    known = messages(catalogue)
    found = []
    for text in sorted(texts):
        message = known.get(text.key)
        name = _name(text)
        if message is None:
            found.append(f"{name}: not in the catalogue; run manage.py messages")
            continue
        found.extend(f"{name}: {fault}" for fault in faults(message, text))
    return found


def faults(message: Message, text: Text) -> list[str]:
    """What is wrong with one entry."""
    translation = first(message)
    if not translation:
        return ["not translated"]
    found = []
    if message.fuzzy:
        found.append("marked fuzzy")
    if bool(text.plural) != isinstance(message.id, tuple | list):
        found.append("plural form differs from the source; run manage.py messages")
    wanted = placeholders(text.plural or text.singular)
    given = placeholders(translation)
    if set(wanted) != set(given) and not (text.plural and set(given) == set(placeholders(text.singular))):
        found.append(f"placeholders {sorted(given)} should be {sorted(wanted)}")
    if text.singular.startswith("\n") != translation.startswith("\n"):
        found.append("starts with a line break on one side only")
    if _SPACED.search(translation):
        found.append("has a space between Chinese and Latin characters; the style sheet adds it")
    return found


def _name(text: Text) -> str:
    words = text.singular if len(text.singular) <= 90 else text.singular[:89] + "…"
    return f"{words!r}" + (f" [{text.context}]" if text.context else "")
