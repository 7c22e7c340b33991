"""Writing rules of a matrix, so that two raters argue about facts and not about adjectives.

1. A clause has at most 45 English words and 90 Chinese characters (number and id of clauses: the loader).
2. A clause has a number or a named artefact; a period that is no threshold is 30, 90, 180 or 365 d, or 120
   or 300 s.
3. Banned words in both languages.
4. "Monitored" and "tested" stand only beside a number.
5. No "and/or", no double negative, no product name.
6. English and Chinese hold the same numbers; numbers are digits.
7. Nobody's feeling for what matters: only "in-scope" and "tier-1", which the scope page defines.
8. A higher level does not repeat a lower one with a stronger adverb.

The white list (what the rules would catch though it says something exact):

- 有效运行, 有效吞吐, 有效期 are terms (valid run, goodput, period of validity), not praise;
- "at most", "API key", "cache key" and the like: no adjective there;
- "critical" and "known-exploited" as a severity in a scanner's own words ("severity critical");
- "Git" is the name of a format of history, not of a product to buy;
- number words inside a name ("two-person", "one-sided").
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

from assessments.domain.dimensions import FILES
from assessments.domain.loader import INDEX_FILE, load_documents
from assessments.domain.matrix import Clause, Matrix, Practice
from assessments.domain.problems import MatrixErrors, Problem
from assessments.domain.texts import Text

MOST_WORDS = 45
MOST_CHARACTERS = 90
DAYS = frozenset({30, 90, 180, 365})
SECONDS = frozenset({120, 300})

_BANNED_EN = re.compile(
    r"\b(appropriate(ly)?|adequate(ly)?|robust(ly)?|mature|effective(ly)?|proper(ly)?|regularly|timely|most|some"
    r"|many|key|critical|best[ -]practices?|as needed|state[ -]of[ -]the[ -]art)\b",
    re.IGNORECASE,
)
_BANNED_ZH = re.compile("适当|充分|完善|健全|有效|合理|定期|及时|大部分|基本|较好|关键|必要时|最佳实践|尽量")
_ALLOWED_EN = re.compile(
    r"at most|(api|cache|registry|partition|routing|signing|session|per|each|victim|tenant|caller)[ -]key"
    r"|key (pollution|prefix|rotation|id)|severity[ -]critical|critical severity",
    re.IGNORECASE,
)
_ALLOWED_ZH = re.compile("有效运行|有效吞吐|有效期")
_PRODUCTS = re.compile(
    r"(?<![\w-])(vLLM|SGLang|TGI|Triton|TensorRT|Ray|Kubeflow|Prometheus|Grafana|Alertmanager|Tempo|Jaeger|Loki"
    r"|OpenTelemetry|Datadog|DCGM|Kyverno|Gatekeeper|Argo|ArgoCD|Flux|Velero|Karpenter|OpenCost|Kubecost|Qdrant"
    r"|Milvus|Weaviate|pgvector|Redis|LMCache|Mooncake|MLflow|Helm|Terraform|Istio|Envoy|Trivy|Cosign|Vault"
    r"|PagerDuty|Slack|GitHub|GitLab|Jenkins|Gremlin|Litmus|Chaos Mesh|Hugging Face|AWS|Azure|GCP)(?![\w-])",
    # ASCII, or a Chinese character beside the name would count as a part of it.
    re.ASCII,
)
_ARTEFACT = re.compile(
    r"\b(git|document|log|ticket|commit|record|report|register|registry|inventory|list|alert|rule|file|spec|"
    r"contract|policy|procedure|runbook|dashboard|query|link|screenshot|manifest|schedule|gate|release|"
    r"signature|config\w*|code|note|owner|result|path)s?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NUMBER_WORDS = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twice|half)\b(?!-)", re.IGNORECASE
)
# Only from the start of a run of such words: a long run would otherwise be read once per character.
_NUMBER_WORDS_ZH = re.compile(
    "(?<![两二三四五六七八九十])[两二三四五六七八九十]+(?:次|个|份|人|名|条|类|天|秒|项)"
)
# A number that something is compared with is a threshold; a bare one is a period.
_PERIOD_EN = re.compile(r"(?<![\d.])(?<![≤≥<>=]\s)(?<![≤≥<>=])(\d+(?:\.\d+)?)\s?(d|s)\b(?!\s?/)")
_DOUBLE_NEGATIVE = re.compile(
    r"\b(not|never|cannot)\s+un(?!til|der|it|ion|iq|less)\w+"
    r"|\b(not|never|cannot)\s+(?:\w+\s+){0,2}(not|never|nobody|nothing|none)\b",
    re.IGNORECASE,
)
_DOUBLE_NEGATIVE_ZH = re.compile("不得不|不无|并非不|并非没|没有不|无不|不是没|未尝不")
_FEELING = re.compile(
    r"\b(important|major|main|essential|business-critical|significant|relevant|vital)\b", re.IGNORECASE
)
_FEELING_ZH = re.compile("重要|核心|主要|重大|相关的")
_ADVERB = re.compile(
    r"\b(always|fully|completely|consistently|entirely|strictly|more|very|highly|continuously|"
    r"comprehensively|systematically|thoroughly)\b",
    re.IGNORECASE,
)

# Rule code and sentence.
Finding = tuple[str, str]


def lint(source: Matrix | Mapping[str, str]) -> tuple[Problem, ...]:
    """Every broken writing rule. From documents (file name to YAML text) problems carry lines.

    Documents that do not load give the loader's problems instead. A `Matrix` gives problems with line 0.
    """
    if isinstance(source, Matrix):
        matrix, documents = source, {}
    else:
        documents = dict(source)
        try:
            matrix = load_documents(documents)
        except MatrixErrors as error:
            return error.problems
    found: list[Problem] = []
    for practice in matrix.practices:
        file = FILES[practice.dimension]
        lines = documents.get(file, "").splitlines()
        for place, text in _texts(practice):
            found.extend(
                Problem(file, _line(lines, place), rule, f"{place}: {message}")
                for rule, message in _text_findings(text)
            )
        for clause in practice.clauses:
            found.extend(
                Problem(file, _line(lines, clause.id), rule, f"{clause.id}: {message}")
                for rule, message in _clause_findings(clause, practice)
            )
    for level in matrix.level_scale:
        found.extend(
            Problem(INDEX_FILE, 0, rule, f"level {level.level}: {message}")
            for rule, message in _text_findings(level.rule)
        )
    for number, text in enumerate(matrix.reading, 1):
        found.extend(
            Problem(INDEX_FILE, 0, rule, f"reading {number}: {message}")
            for rule, message in _text_findings(text)
        )
    return tuple(sorted(set(found)))


def _line(lines: list[str], place: str) -> int:
    """Line of the practice or clause with that id; 0 where it is not found."""
    name = place.split(" ")[0]
    pattern = re.compile(rf"\bid:\s*['\"]?{re.escape(name)}(?![\w.-])")
    return next((number for number, line in enumerate(lines, 1) if pattern.search(line)), 0)


def _texts(practice: Practice) -> Iterator[tuple[str, Text]]:
    """Every text of a practice but the clauses' limits, with a place that starts with an id."""
    yield f"{practice.id} title", practice.title
    yield f"{practice.id} question", practice.question
    if practice.why is not None:
        yield f"{practice.id} why", practice.why
    for number, text in enumerate(practice.proof, 1):
        yield f"{practice.id} proof {number}", text
    for number, text in enumerate(practice.rulings, 1):
        yield f"{practice.id} ruling {number}", text
    for clause in practice.clauses:
        yield clause.id, clause.text
    yield from _drill_texts(practice)
    yield from _kpi_texts(practice)


def _drill_texts(practice: Practice) -> Iterator[tuple[str, Text]]:
    for answer in practice.answers_by:
        if answer.drill is not None:
            yield f"{practice.id} drill", answer.drill
        if answer.protocol is not None:
            for number, step in enumerate(answer.protocol.steps, 1):
                yield f"{practice.id} drill step {number}", step
            yield f"{practice.id} drill pass", answer.protocol.passes
            yield f"{practice.id} drill record", answer.protocol.record


def _kpi_texts(practice: Practice) -> Iterator[tuple[str, Text]]:
    if practice.kpi is None:
        return
    yield f"{practice.id} kpi name", practice.kpi.name
    yield f"{practice.id} kpi formula", practice.kpi.formula
    for target in practice.kpi.targets:
        if target.text is not None:
            yield f"{practice.id} kpi target", target.text
        for condition in target.also:
            yield f"{practice.id} kpi condition", condition.name


def _text_findings(text: Text) -> Iterator[Finding]:
    """Rules 3, 5 (wording) and 6: they hold for every text."""
    english, chinese = _ALLOWED_EN.sub(" ", text.en), _ALLOWED_ZH.sub(" ", text.zh)
    for match in [*_BANNED_EN.finditer(english), *_BANNED_ZH.finditer(chinese)]:
        yield ("lint.banned-word", f"“{match.group()}” says nothing that can be checked")
    if "and/or" in english.lower() or "和/或" in chinese:
        yield ("lint.and-or", "write “and” or “or”")
    here, there = numbers(text.en), numbers(text.zh)
    if here != there:
        only_en = ", ".join(sorted((here - there).elements())) or "none"
        only_zh = ", ".join(sorted((there - here).elements())) or "none"
        yield ("lint.parity", f"numbers differ: only en {only_en}; only zh {only_zh}")


def numbers(text: str) -> Counter[str]:
    """The numbers of a text in digits, as a multiset; “tier-1” and “一级” are names, not numbers."""
    plain = unicodedata.normalize("NFKC", text)
    plain = re.sub(r"tier[- ]1(?!\d)|一级", " ", plain, flags=re.IGNORECASE)
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", plain)
    return Counter(_NUMBER.findall(plain))


def _clause_findings(clause: Clause, practice: Practice) -> Iterator[Finding]:
    """Rules 1, 2, 4, 5, 7 and 8: they hold for clauses."""
    english, chinese = clause.text.en, clause.text.zh
    words = len(english.split())
    if words > MOST_WORDS:
        yield ("lint.length", f"{words} English words, more than {MOST_WORDS}")
    characters = sum(1 for each in chinese if not each.isspace())
    if characters > MOST_CHARACTERS:
        yield ("lint.length", f"{characters} Chinese characters, more than {MOST_CHARACTERS}")
    without_tier = re.sub(r"tier-1", "", english)
    if not _NUMBER.search(without_tier) and not _ARTEFACT.search(without_tier):
        yield ("lint.vague", "has neither a number nor a named artefact")
    for amount, unit in _PERIOD_EN.findall(english):
        allowed = DAYS if unit == "d" else SECONDS
        if float(amount) not in allowed:
            listed = ", ".join(str(each) for each in sorted(allowed))
            yield ("lint.period", f"period of {amount} {unit}; use {listed} {unit}")
    if re.search(r"\b(monitored|tested)\b", english, re.IGNORECASE) and not _NUMBER.search(without_tier):
        yield ("lint.unquantified", "“monitored” or “tested” needs a number")
    yield from _wording_findings(english, chinese)
    bare = _without_adverbs(english)
    for other in practice.clauses:
        if other.level < clause.level and _without_adverbs(other.text.en) == bare:
            yield ("lint.repeats", f"repeats {other.id}")


def _wording_findings(english: str, chinese: str) -> Iterator[Finding]:
    for match in _PRODUCTS.finditer(f"{english} {chinese}"):
        yield ("lint.product", f"names the product {match.group()}; say what it does")
    if _DOUBLE_NEGATIVE.search(english) or _DOUBLE_NEGATIVE_ZH.search(chinese):
        yield ("lint.double-negative", "double negative")
    word = _NUMBER_WORDS.search(english) or _NUMBER_WORDS_ZH.search(chinese)
    if word is not None:
        yield ("lint.number-word", f"“{word.group()}”: write digits")
    feeling = _FEELING.search(english) or _FEELING_ZH.search(chinese)
    if feeling is not None:
        yield ("lint.feeling", f"“{feeling.group()}”: only in-scope and tier-1 are defined")


def _without_adverbs(text: str) -> str:
    return " ".join(_ADVERB.sub(" ", text).lower().split())
