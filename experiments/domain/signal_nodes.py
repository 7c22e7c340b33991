"""YAML as nodes that know their line, for the catalogue's own files.

The files are the product's own and short. Files from outside are read by
`assessments.domain.yaml_nodes`, which lies above this app.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from experiments.domain.signal_model import Words


@dataclass(slots=True)
class File:
    """One file and what is wrong with it."""

    name: str
    problems: list[str]

    def report(self, node: yaml.Node | None, message: str) -> None:
        line = node.start_mark.line + 1 if node is not None else 0
        self.problems.append(f"{self.name}:{line}: {message}")

    def open(self, text: str) -> yaml.Node | None:
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            self.problems.append(f"{self.name}:{mark.line + 1 if mark else 0}: not YAML")
            return None
        if root is None:
            self.report(None, "is empty")
        return root

    def items(self, node: yaml.Node | None) -> list[yaml.Node]:
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.report(node, "must be a list")
            return []
        return list(node.value)

    def text(self, node: yaml.Node | None, what: str) -> str:
        if node is None:
            return ""
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            self.report(node, f"{what} must be a text")
            return ""
        return " ".join(str(node.value).split())


@dataclass(slots=True)
class Map:
    """A mapping with known keys; `finish` reports the others."""

    file: File
    node: yaml.Node | None
    what: str
    values: dict[str, yaml.Node] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if not isinstance(self.node, yaml.MappingNode):
            self.file.report(self.node, f"{self.what} must be a mapping")
            return
        for key, value in self.node.value:
            name = str(key.value)
            if name in self.values:
                self.file.report(key, f"{self.what}: {name} appears twice")
            self.values[name] = value

    def get(self, key: str) -> yaml.Node | None:
        self.asked.add(key)
        return self.values.get(key)

    def need(self, key: str) -> yaml.Node | None:
        node = self.get(key)
        if node is None:
            self.file.report(self.node, f"{self.what}: {key} is missing")
        return node

    def text(self, key: str) -> str:
        return self.file.text(self.need(key), f"{self.what}: {key}")

    def choice(self, key: str, allowed: frozenset[str]) -> str:
        value = self.text(key)
        if value and value not in allowed:
            self.file.report(self.values[key], f"{self.what}: {key} is {value!r}, not of {sorted(allowed)}")
        return value

    def texts(self, key: str, allowed: re.Pattern[str]) -> tuple[str, ...]:
        found = []
        for node in self.file.items(self.get(key)):
            value = self.file.text(node, f"{self.what}: {key}")
            if value in found or not allowed.fullmatch(value):
                self.file.report(node, f"{self.what}: {key} holds {value!r}, twice or not allowed")
            found.append(value)
        return tuple(found)

    def words(self, key: str, *, optional: bool = False) -> Words | None:
        node = self.get(key) if optional else self.need(key)
        if node is None:
            return None
        inner = Map(self.file, node, f"{self.what}: {key}")
        found = Words(inner.text("en"), inner.text("zh"))
        inner.finish()
        return found

    def finish(self) -> None:
        for key, node in self.values.items():
            if key not in self.asked:
                self.file.report(node, f"{self.what}: unknown key {key!r}")
