"""YAML as typed nodes that know their line, read so that a hostile file costs little and breaks nothing.

Refused before anything is built: too many bytes or nodes, too deep nesting, anchors and aliases (a short
file can unfold into gigabytes), tags, several documents. Values are read by what they must be, so that
YAML's own guesses (`no` is false, `1:30` is 90) never reach the matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from assessments.domain.problems import Problem
from assessments.domain.texts import Text

MAX_BYTES = 2_000_000
MAX_NODES = 200_000
MAX_DEPTH = 20
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d{1,9})?")
_STRING = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
_BOOL = "tag:yaml.org,2002:bool"
# libyaml is ten times faster and gives the same marks; the pure parser does where it is missing.
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Document:
    """One file being read; everything wrong with it is collected in `problems`."""

    name: str
    problems: list[Problem] = field(default_factory=list)

    def report(self, line: int, rule: str, message: str) -> None:
        """Note a problem; lines count from 1, 0 means the file as a whole."""
        self.problems.append(Problem(self.name, line, rule, message))


def line_of(node: yaml.Node) -> int:
    """Line of a node, from 1."""
    return int(node.start_mark.line) + 1


def quoted(value: object) -> str:
    """A value as it may be shown in a message: escaped and short."""
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "…"


def compose(document: Document, text: str) -> yaml.Node | None:
    """The root node of a YAML text, or None with the reason in the document's problems. Never raises."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        document.report(0, "yaml.size", f"larger than {MAX_BYTES} bytes")
        return None
    try:
        if not _harmless(document, text):
            return None
        return yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = " ".join(str(part) for part in (error.context, error.problem) if part)
        # libyaml has a nesting limit of its own, which it reports as a syntax error.
        rule = "yaml.depth" if "nesting" in reason else "yaml.syntax"
        document.report(mark.line + 1 if mark else 0, rule, reason or "not YAML")
    except (yaml.YAMLError, UnicodeError) as error:
        document.report(0, "yaml.syntax", quoted(str(error).splitlines()[0] if str(error) else "not YAML"))
    except RecursionError:
        document.report(0, "yaml.depth", "nested too deeply")
    return None


def _harmless(document: Document, text: str) -> bool:
    """Walk the events of the file (no recursion, nothing built) and report what is not allowed."""
    depth = nodes = 0
    before = len(document.problems)
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if isinstance(event, yaml.NodeEvent):
            nodes += 1
            if event.anchor is not None:
                document.report(line, "yaml.alias", "anchors and aliases are not allowed")
            elif getattr(event, "tag", None) is not None:
                document.report(line, "yaml.tag", "tags are not allowed")
        if depth > MAX_DEPTH:
            document.report(line, "yaml.depth", f"nested deeper than {MAX_DEPTH} levels")
        if nodes > MAX_NODES:
            document.report(line, "yaml.size", f"more than {MAX_NODES} values")
        # One finding of this sort is enough to refuse the file; a bomb must not fill the list.
        if len(document.problems) > before:
            return False
    return True


@dataclass(slots=True)
class Mapping:
    """A mapping whose keys are known in advance; `finish` reports those nobody asked for."""

    document: Document
    node: yaml.Node
    values: dict[str, yaml.Node] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    usable: bool = True

    @classmethod
    def read(cls, document: Document, node: yaml.Node, what: str) -> Mapping:
        """Open a node as a mapping; duplicate keys and keys that are no text are problems."""
        self = cls(document, node)
        if not isinstance(node, yaml.MappingNode):
            document.report(line_of(node), "schema.type", f"{what} must be a mapping")
            self.usable = False
            return self
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag != _STRING:
                document.report(line_of(key), "schema.type", f"{what}: every key must be a text")
            elif key.value in self.values:
                message = f"{what}: key {quoted(key.value)} appears more than once"
                document.report(line_of(key), "yaml.duplicate-key", message)
            else:
                self.values[key.value] = value
        return self

    @property
    def line(self) -> int:
        """Line of the mapping, from 1."""
        return line_of(self.node)

    def report(self, rule: str, message: str, key: str | None = None) -> None:
        """Note a problem at the line of a key's value, or of the mapping."""
        node = self.values.get(key, self.node) if key else self.node
        self.document.report(line_of(node), rule, message)

    def optional(self, key: str) -> yaml.Node | None:
        """The node of a key, or None where the key is absent."""
        self.asked.add(key)
        return self.values.get(key)

    def required(self, key: str) -> yaml.Node | None:
        """The node of a key; absence is a problem."""
        node = self.optional(key)
        if node is None and self.usable:
            self.report("schema.missing-key", f"key {quoted(key)} is missing")
        return node

    def finish(self) -> None:
        """Report keys that nobody asked for."""
        for key, node in self.values.items():
            if key not in self.asked:
                known = ", ".join(sorted(self.asked))
                message = f"unknown key {quoted(key)} (known: {known})"
                self.document.report(line_of(node), "schema.unknown-key", message)


def items(document: Document, node: yaml.Node | None, what: str) -> Iterator[yaml.Node]:
    """The nodes of a list; nothing for an absent one, a problem for anything else."""
    if node is None:
        return
    if not isinstance(node, yaml.SequenceNode):
        document.report(line_of(node), "schema.type", f"{what} must be a list")
        return
    yield from node.value


def string(document: Document, node: yaml.Node | None, what: str) -> str:
    """A text that is not blank; an empty string (and a problem) for anything else."""
    if node is None:
        return ""
    if not isinstance(node, yaml.ScalarNode) or node.tag != _STRING:
        document.report(line_of(node), "schema.type", f"{what} must be a text (write it in quotes)")
        return ""
    if not node.value.strip():
        document.report(line_of(node), "schema.value", f"{what} is blank")
    return str(node.value)


def choice(document: Document, node: yaml.Node | None, what: str, allowed: frozenset[str]) -> str:
    """One of the allowed texts; an empty string (and a problem) for anything else."""
    text = string(document, node, what)
    if node is not None and text and text not in allowed:
        known = ", ".join(sorted(allowed))
        document.report(line_of(node), "schema.value", f"{what} is {quoted(text)}, not one of {known}")
        return ""
    return text


def strings(document: Document, node: yaml.Node | None, what: str) -> tuple[str, ...]:
    """A list of texts without repetition."""
    found: list[str] = []
    for each in items(document, node, what):
        text = string(document, each, what)
        if text and text in found:
            document.report(line_of(each), "schema.value", f"{what}: {quoted(text)} appears more than once")
        elif text:
            found.append(text)
    return tuple(found)


def is_null(node: yaml.Node | None) -> bool:
    """Whether the value was written as null."""
    return isinstance(node, yaml.ScalarNode) and node.tag == _NULL


def boolean(document: Document, node: yaml.Node | None, what: str) -> bool:
    """`true` or `false`, written so; False (and a problem) for anything else."""
    if node is None:
        return False
    if not isinstance(node, yaml.ScalarNode) or node.tag != _BOOL or node.value not in ("true", "false"):
        document.report(line_of(node), "schema.type", f"{what} must be true or false")
        return False
    return bool(node.value == "true")


def number(document: Document, node: yaml.Node | None, what: str) -> float | None:
    """A plain decimal number; None for an absent one, and (with a problem) for anything else."""
    if node is None:
        return None
    plain = isinstance(node, yaml.ScalarNode) and node.style in (None, "")
    if not plain or not _NUMBER.fullmatch(node.value):
        document.report(line_of(node), "schema.type", f"{what} must be a plain number such as 3 or 0.5")
        return None
    return float(node.value)


def integer(document: Document, node: yaml.Node | None, what: str, low: int, high: int) -> int | None:
    """A whole number between two bounds, both included; None (and a problem) for anything else."""
    value = number(document, node, what)
    if value is None or node is None:
        return None
    if not value.is_integer() or not low <= value <= high:
        message = f"{what} must be a whole number from {low} to {high}"
        document.report(line_of(node), "schema.value", message)
        return None
    return int(value)


def text(document: Document, node: yaml.Node | None, what: str) -> Text:
    """A text in both languages, `{en: …, zh: …}`; a missing translation is a problem of its own."""
    if node is None:
        return Text("", "")
    entry = Mapping.read(document, node, what)
    found = bilingual(entry, what)
    entry.finish()
    return found


def optional_text(document: Document, node: yaml.Node | None, what: str) -> Text | None:
    """A text in both languages, or None for an absent one."""
    return None if node is None else text(document, node, what)


def bilingual(entry: Mapping, what: str) -> Text:
    """The keys `en` and `zh` of a mapping that may hold others."""
    parts = {}
    for language in ("en", "zh"):
        node = entry.optional(language)
        if node is None and entry.usable:
            entry.report("text.missing-translation", f"{what} has no {language}")
        parts[language] = string(entry.document, node, f"{what} ({language})")
    return Text(parts["en"], parts["zh"])


def texts(document: Document, node: yaml.Node | None, what: str) -> tuple[Text, ...]:
    """A list of texts in both languages."""
    return tuple(text(document, each, what) for each in items(document, node, what))
