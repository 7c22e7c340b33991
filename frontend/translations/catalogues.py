"""Reads, merges, writes and compiles the .po files."""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from frontend.translations.extract import Text

# Fixed, so that two updates never differ by a date.
HEADER = """\
# Simplified Chinese. Updated by `manage.py messages`; sorted and without places, so that merges stay small.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Language: zh_Hans\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""


def empty() -> Catalog:
    """A catalogue without messages."""
    return Catalog(locale="zh_Hans", fuzzy=False, charset="utf-8")


# Babel is forgiving about quotation marks and would drop what it cannot read; we would then lose it for good.
_LINE = re.compile(
    r'(?:#.*|(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*")?\s*'
)


def load(path: Path) -> Catalog:
    """The catalogue in a file, or an empty one. Raises ValueError that names the file and line of a fault."""
    if not path.exists():
        return empty()
    content = path.read_bytes()
    place = "/".join(path.parts[-5:])
    for number, line in enumerate(content.decode("utf-8").splitlines(), start=1):
        if not _LINE.fullmatch(line):
            raise ValueError(f"{place}, line {number}: this is not a line of a catalogue: {line[:60]}")
    try:
        return read_po(io.BytesIO(content), locale="zh_Hans", abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"{place}: {error}") from error


def key(message: Message) -> tuple[str, str]:
    """What gettext looks a message up by."""
    return message.context or "", message.id[0] if isinstance(message.id, tuple | list) else str(message.id)


def messages(catalogue: Catalog) -> dict[tuple[str, str], Message]:
    """Every message but the header."""
    return {key(message): message for message in catalogue if message.id}


def first(message: Message) -> str:
    """The translation; Chinese has one plural form."""
    string = message.string
    return (string[0] if string else "") if isinstance(string, tuple | list) else str(string or "")


def merge(old: Catalog, texts: Iterable[Text], borrow: Mapping[tuple[str, str], str]) -> Catalog:
    """`texts` with the translations of `old`; what is new takes its translation from `borrow` if it can.

    Translations of texts that are gone are kept as obsolete entries and come back with their text.
    """
    catalogue = empty()
    known = messages(old)
    gone = {key(message): message for message in old.obsolete.values() if message.id}
    kept: set[tuple[str, str]] = set()
    for text in sorted(texts):
        previous = known.get(text.key) or gone.get(text.key)
        kept.add(text.key)
        translation = (first(previous) if previous else "") or borrow.get(text.key, "")
        flags = set(previous.flags) & {"fuzzy"} if previous else set()
        catalogue.add(
            (text.singular, text.plural) if text.plural else text.singular,
            (translation,) if text.plural else translation,
            context=text.context or None,
            flags=flags,
            user_comments=list(previous.user_comments) if previous else [],
        )
    for name, message in sorted({**known, **gone}.items()):
        if name not in kept and first(message):
            catalogue.obsolete[name] = message
    return catalogue


def rendered(catalogue: Catalog, *, prune: bool = False) -> bytes:
    """The text of the .po file."""
    stream = io.BytesIO()
    write_po(
        stream,
        catalogue,
        width=0,
        no_location=True,
        sort_output=True,
        ignore_obsolete=prune,
        omit_header=True,
    )
    return HEADER.encode() + stream.getvalue().strip() + b"\n"


def store(path: Path, content: bytes) -> bool:
    """Writes the file in one step if it differs; True if it did."""
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        stream.write(content)
    Path(stream.name).chmod(0o644)
    os.replace(stream.name, path)
    return True


def compile_file(path: Path) -> None:
    """Writes the .mo file beside a .po file; entries marked fuzzy are left out."""
    stream = io.BytesIO()
    write_mo(stream, load(path))
    store(path.with_suffix(".mo"), stream.getvalue())
