"""Label matchers put into a PromQL expression: tokens and selectors are found, nothing is pasted blindly.

`render` adds matchers to every vector selector and leaves every other character as it was. What the small
grammar here does not know (a keyword as a metric name, a matcher of another dialect) is refused, so an
expression is either scoped in full or not at all. Grammar: the lexer rules of Prometheus 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portal.errors import Invalid

MAX_LENGTH = 20_000
MAX_VALUE = 500
LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|\#[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)
  | (?P<number>0[xX][0-9A-Fa-f]+|(?:[0-9]+(?:ms|[smhdwy]))+(?![\w.])
      |(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
  | (?P<word>[A-Za-z_:][A-Za-z0-9_:]*)
  | (?P<mark>=~|!~|!=|==|>=|<=|[-+*/%^=<>(){},@])
  | (?P<range>\[[^\[\]{}()"'`\#]*\])
    """,
    re.X | re.S,
)
_LISTS = frozenset({"by", "without", "on", "ignoring", "group_left", "group_right"})
_MAY_STAND_ALONE = frozenset({"group_left", "group_right"})
_OPERATORS = frozenset({"and", "or", "unless", "atan2", "bool", "offset", "inf", "nan"})
_AGGREGATIONS = frozenset(
    {"sum", "avg", "count", "min", "max", "group", "stddev", "stdvar", "topk", "bottomk", "quantile"}
    | {"count_values", "limitk", "limit_ratio"}
)
_REGEX_MARKS = re.compile(r"[\\.+*?()|\[\]{}^$]")
_MATCHES = frozenset({"=", "!=", "=~", "!~"})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression: kind (string, number, word, mark, range), text, first character."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Selector:
    """A vector selector: its metric ("" where only braces stand), its matchers, where one more goes.

    `matchers` holds (label, operator, value as written, with its quotes). `at` is the place for further
    matchers; `braces` says whether it lies inside braces, `comma` whether a comma must come first.
    """

    metric: str
    matchers: tuple[tuple[str, str, str], ...]
    at: int
    braces: bool
    comma: bool


def _refuse(message: str, at: int) -> Invalid:
    return Invalid("promql.unreadable", f"PromQL, character {at + 1}: {message}.", extra={"at": at})


def tokens(expression: str) -> tuple[Token, ...]:
    """The tokens of an expression, without blanks and comments. Raises Invalid for what is none."""
    if len(expression) > MAX_LENGTH:
        raise _refuse(f"longer than {MAX_LENGTH} characters", MAX_LENGTH)
    found: list[Token] = []
    at = 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise _refuse(f"{expression[at]!r} is not expected here", at)
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(Token(kind, match.group(), at))
        at = match.end()
    return tuple(found)


def selectors(expression: str) -> tuple[Selector, ...]:
    """Every vector selector of an expression, in order. Raises Invalid for what cannot be read."""
    return tuple(_Reader(tokens(expression), len(expression)).selectors())


def ranges(expression: str) -> tuple[str, ...]:
    """What stands in square brackets: `5m`, or `7d:1h` for a subquery."""
    return tuple("".join(t.text[1:-1].split()) for t in tokens(expression) if t.kind == "range")


def metrics(expression: str) -> tuple[str, ...]:
    """The metric names an expression reads, each once, in order."""
    return tuple(dict.fromkeys(each.metric for each in selectors(expression) if each.metric))


class _Reader:
    """Walks the tokens once. Only selectors are understood; the rest must merely be balanced."""

    def __init__(self, found: Sequence[Token], length: int) -> None:
        self.tokens = found
        self.length = length
        self.at = 0
        self.open = 0

    def peek(self, ahead: int = 0) -> str:
        """The text of a coming token; "" after the last."""
        where = self.at + ahead
        return self.tokens[where].text if where < len(self.tokens) else ""

    def take(self) -> Token:
        """The next token. Raises Invalid at the end."""
        if self.at >= len(self.tokens):
            raise _refuse("the expression ends too early", self.length)
        self.at += 1
        return self.tokens[self.at - 1]

    def selectors(self) -> Iterator[Selector]:
        if not self.tokens:
            raise _refuse("there is no expression", 0)
        while self.at < len(self.tokens):
            token = self.take()
            if token.kind == "word":
                yield from self._word(token)
            elif token.text == "{":
                yield self._braces("")
            elif token.text in "()":
                self._parenthesis(token)
            elif token.text in ("}", "=~", "!~", "="):
                raise _refuse(f"{token.text!r} is not expected here", token.start)
        if self.open:
            raise _refuse("a parenthesis is not closed", self.length)

    def _parenthesis(self, token: Token) -> None:
        self.open += 1 if token.text == "(" else -1
        if self.open < 0:
            raise _refuse("this parenthesis was never opened", token.start)

    def _word(self, word: Token) -> Iterator[Selector]:
        name = word.text.lower()
        if name in _LISTS:
            self._labels(word)
        elif name in _OPERATORS:
            if self.peek() == "{":
                raise _refuse(f"the keyword {word.text} is no metric", word.start)
        elif name in _AGGREGATIONS:
            if self.peek() != "(" and self.peek().lower() not in ("by", "without"):
                raise _refuse(f"the keyword {word.text} is no metric", word.start)
        elif self.peek() == "(":
            pass  # a function; its arguments are read like everything else
        elif self.peek() == "{":
            self.take()
            yield self._braces(word.text)
        else:
            yield Selector(word.text, (), word.end, braces=False, comma=False)

    def _labels(self, keyword: Token) -> None:
        """The list after `by`, `on`, `group_left`…"""
        if self.peek() != "(":
            if keyword.text.lower() in _MAY_STAND_ALONE:
                return
            raise _refuse(f"{keyword.text} needs a list of labels", keyword.end)
        self.take()
        while self.peek() != ")":
            label = self.take()
            if label.kind != "word" or not LABEL.fullmatch(label.text):
                raise _refuse(f"{label.text!r} is no label", label.start)
            if self.peek() == ",":
                self.take()
            elif self.peek() != ")":
                raise _refuse("a list of labels needs commas", label.end)
        self.take()

    def _braces(self, metric: str) -> Selector:
        """What stands between braces; the opening one has been taken."""
        found: list[tuple[str, str, str]] = []
        at, comma = self.tokens[self.at - 1].end, False
        while self.peek() != "}":
            name = self.take()
            if name.kind == "string" and self.peek() not in _MATCHES:
                metric = metric or name.text  # Prometheus 3: {"metric.with.dots", …}
                at, comma = name.end, True
            else:
                operator, value = self.take(), self.take()
                readable = name.kind == "string" or LABEL.fullmatch(name.text)
                if not readable or operator.text not in _MATCHES or value.kind != "string":
                    raise _refuse("this is no label matcher", name.start)
                found.append((name.text, operator.text, value.text))
                at, comma = value.end, True
            if self.peek() == ",":
                at, comma = self.take().end, False
            elif self.peek() != "}":
                raise _refuse("matchers need commas between them", at)
        self.take()
        return Selector(metric, tuple(found), at, braces=True, comma=comma)


def quoted(value: str) -> str:
    """A value as a double-quoted PromQL string. Raises Invalid for lone surrogates and long values."""
    if len(value) > MAX_VALUE:
        raise Invalid("promql.value", f"A label value has more than {MAX_VALUE} characters.")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Invalid("promql.value", "A label value is no Unicode text.")
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_visible(letter) for letter in plain) + '"'


def _visible(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0 else letter


def matcher(label: str, wanted: str | Sequence[str]) -> str:
    """`label="value"` for one value, `label=~"a|b"` (each taken literally) for several.

    Raises Invalid for a name that is no label, for `__name__`, and for an empty list, which would
    match nothing or everything depending on the reader.
    """
    if not LABEL.fullmatch(label) or label == "__name__":
        raise Invalid("promql.label", f"{label!r} is no label that a scope may set.")
    if isinstance(wanted, str):
        return f"{label}={quoted(wanted)}"
    if not wanted:
        raise Invalid("promql.value", f"The scope names no value for {label}.")
    literal = "|".join(_REGEX_MARKS.sub(r"\\\g<0>", each) for each in wanted)
    return f"{label}=~{quoted(literal)}"


def render(expression: str, matchers: Mapping[str, str | Sequence[str]]) -> str:
    """The expression with the matchers added to every vector selector, in the order given.

    A matcher that already stands there is not repeated; one with another value is kept beside ours, so a
    scope can only narrow. Raises Invalid where the expression or a matcher cannot be read.
    """
    wanted = [matcher(label, value) for label, value in matchers.items()]
    parts: list[str] = []
    done = 0
    for each in selectors(expression):
        present = {"".join(one) for one in each.matchers}
        added = ",".join(one for one in wanted if one not in present)
        if not added:
            continue
        parts.append(expression[done : each.at])
        if each.braces:
            parts.append(f",{added}" if each.comma else added)
        else:
            parts.append("{" + added + "}")
        done = each.at
    return "".join([*parts, expression[done:]])
