"""YAML and JSON as trees, read so that a hostile file costs little; whatever is refused has its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]

import yaml

from assessments.domain import yaml_nodes
from assessments.domain.problems import Problem
from assessments.domain.trees import Items, Leaf, Pairs, Tree, leaves
from portal.errors import Invalid

MAX_UPLOAD_BYTES = 2_000_000
MAX_UPLOAD_VALUES = 60_000
MAX_UPLOAD_DEPTH = 14
MAX_TEXT_CHARACTERS = 2_000
# However much is wrong, this many findings are told.
MAX_FINDINGS = 200
MAX_MESSAGE = 400
_STRING = "tag:yaml.org,2002:str"
# Control characters, halves of a pair, and those that turn the direction of text and so hide what it says.
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong with an upload: place (`cost.yaml:12`, `Clauses!D14`), rule code, sentence."""

    place: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.rule}: {self.message}"

    def as_dict(self) -> dict[str, str]:
        """The JSON form; a message that quotes too much of the file is cut."""
        return {"place": self.place[:200], "rule": self.rule, "message": self.message[:MAX_MESSAGE]}


class UploadErrors(Invalid):
    """The upload cannot be used; `findings` says why, at most 200 times."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        every = list(dict.fromkeys(findings))
        self.findings = tuple(every[:MAX_FINDINGS])
        self.count = len(every)
        super().__init__(
            "matrix.refused",
            f"The upload has {self.count} problem(s).",
            place=self.findings[0].place if self.findings else None,
            extra={"problems": [each.as_dict() for each in self.findings], "count": self.count},
        )

    def __str__(self) -> str:
        return "\n".join([self.message, *(str(each) for each in self.findings)])


def refuse(place: str, rule: str, message: str) -> UploadErrors:
    """One reason to refuse an upload."""
    return UploadErrors([Finding(place, rule, message)])


def shown_line(problem: Problem) -> str:
    """Place of a problem of the YAML reader."""
    return f"{problem.file}:{problem.line}" if problem.line else problem.file


def decoded(name: str, data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises UploadErrors otherwise."""
    if len(data) > MAX_UPLOAD_BYTES:
        raise refuse(name, "file.size", f"larger than {MAX_UPLOAD_BYTES} bytes")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refuse(name, "file.encoding", "is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refuse(f"{name}:{line}", "file.encoding", "is not UTF-8 from here on") from None
    found = _REFUSED.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise refuse(f"{name}:{line}", "text.character", f"holds the character U+{ord(found.group()):04X}")
    return text


def from_yaml(name: str, text: str, *, label: str | None = None) -> Tree:
    """The tree of a YAML text; places are `label:line` (label: default the name). Raises UploadErrors."""
    document = yaml_nodes.Document(label or name)
    root = yaml_nodes.compose(document, text)
    if root is None:
        problems = document.problems or [Problem(document.name, 0, "yaml.empty", "the file is empty")]
        raise UploadErrors(Finding(shown_line(each), each.rule, each.message) for each in problems)
    counter = _Counter(document.name)
    tree = _from_node(root, counter, 1)
    check_texts(tree)
    return tree


@dataclass(slots=True)
class _Counter:
    """Counts values while a tree is built, so that a wide file stops early."""

    name: str
    values: int = 0

    def count(self, line: int, depth: int) -> str:
        """Note one more value and return its place."""
        self.values += 1
        place = f"{self.name}:{line}"
        if self.values > MAX_UPLOAD_VALUES:
            raise refuse(place, "file.values", f"more than {MAX_UPLOAD_VALUES} values")
        if depth > MAX_UPLOAD_DEPTH:
            raise refuse(place, "file.depth", f"nested deeper than {MAX_UPLOAD_DEPTH} levels")
        return place


def _from_node(node: yaml.Node, counter: _Counter, depth: int) -> Tree:
    place = counter.count(yaml_nodes.line_of(node), depth)
    if isinstance(node, yaml.SequenceNode):
        return Items(tuple(_from_node(each, counter, depth + 1) for each in node.value), place)
    if isinstance(node, yaml.MappingNode):
        pairs = []
        for key, value in node.value:
            name = _from_node(key, counter, depth + 1)
            if not isinstance(name, Leaf):
                raise refuse(name.place, "schema.type", "every key must be a text")
            pairs.append((name, _from_node(value, counter, depth + 1)))
        return Pairs(tuple(pairs), place)
    return Leaf(str(node.value), node.tag != _STRING, place)


def check_texts(tree: Tree) -> None:
    """Raise UploadErrors for texts that are too long or hold what nobody can read."""
    findings = []
    for leaf in leaves(tree):
        if len(leaf.text) > MAX_TEXT_CHARACTERS:
            message = f"a text of {len(leaf.text)} characters, more than {MAX_TEXT_CHARACTERS}"
            findings.append(Finding(leaf.place, "text.length", message))
        elif found := _REFUSED.search(leaf.text):
            message = f"holds the character U+{ord(found.group()):04X}"
            findings.append(Finding(leaf.place, "text.character", message))
    if findings:
        raise UploadErrors(findings)


# -- JSON -------------------------------------------------------------------------------------------------


def from_json(name: str, text: str) -> Tree:
    """The tree of a JSON text; places are `name:line`. Raises UploadErrors with the line of what is wrong."""
    reader = _Json(name, text)
    tree = reader.value(1)
    reader.skip()
    if reader.at < len(text):
        raise reader.wrong("something follows the end of the JSON")
    check_texts(tree)
    return tree


@dataclass(slots=True)
class _Json:
    """A JSON reader that knows its line; the depth is bounded, so it may call itself."""

    name: str
    text: str
    at: int = 0
    line: int = 1
    seen: int = 0
    counter: _Counter = field(init=False)

    def __post_init__(self) -> None:
        self.counter = _Counter(self.name)

    def wrong(self, message: str) -> UploadErrors:
        self._count_lines()
        return refuse(f"{self.name}:{self.line}", "json.syntax", message)

    def _count_lines(self) -> None:
        self.line += self.text.count("\n", self.seen, self.at)
        self.seen = self.at

    def skip(self) -> str:
        """Go to the next character that says something; it is returned, or an empty text at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Tree:
        first = self.skip()
        self._count_lines()
        place = self.counter.count(self.line, depth)
        if first == "{":
            return self._object(place, depth)
        if first == "[":
            return self._array(place, depth)
        if first == '"':
            return Leaf(self._string(), False, place)
        for word in ("true", "false", "null"):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return Leaf(word, True, place)
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise self.wrong("a value is expected here")
        self.at = found.end()
        return Leaf(found.group(), True, place)

    def _string(self) -> str:
        try:
            text, self.at = scanstring(self.text, self.at + 1, True)
        except json.JSONDecodeError as error:
            self.at = min(error.pos, len(self.text))
            raise self.wrong(error.msg) from None
        return str(text)

    def _object(self, place: str, depth: int) -> Pairs:
        self.at += 1
        pairs: list[tuple[Leaf, Tree]] = []
        if self.skip() == "}":
            self.at += 1
            return Pairs((), place)
        while True:
            if self.skip() != '"':
                raise self.wrong("a key in double quotes is expected here")
            self._count_lines()
            key = Leaf("", False, self.counter.count(self.line, depth + 1))
            key = Leaf(self._string(), False, key.place)
            if self.skip() != ":":
                raise self.wrong("a colon is expected here")
            self.at += 1
            pairs.append((key, self.value(depth + 1)))
            if self._ends("}"):
                return Pairs(tuple(pairs), place)

    def _array(self, place: str, depth: int) -> Items:
        self.at += 1
        found: list[Tree] = []
        if self.skip() == "]":
            self.at += 1
            return Items((), place)
        while True:
            found.append(self.value(depth + 1))
            if self._ends("]"):
                return Items(tuple(found), place)

    def _ends(self, closing: str) -> bool:
        """Step over a comma or the closing bracket; true for the bracket."""
        after = self.skip()
        if after not in (",", closing) or not after:
            raise self.wrong(f"a comma or {closing} is expected here")
        self.at += 1
        return after == closing
