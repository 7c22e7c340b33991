"""The fixed words of the report: complete in both languages, all used, all drawable."""

from __future__ import annotations

import re

from portal.reports import compiler

ENTRY = re.compile(r'^  "([\w.]+)": \("((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\),$', re.M)
HAN = re.compile(r"[\u4e00-\u9fff]")
# Signs and codes that are the same in both languages.
ALIKE = {"cover.gpus", "page", "compare.difference", "road.from_to", "road.range", "answers.by", "trade.and"}


def source(name: str) -> str:
    return (compiler.TEMPLATES / name).read_text(encoding="utf-8")


def words() -> dict[str, tuple[str, str]]:
    return {key: (english, chinese) for key, english, chinese in ENTRY.findall(source("words.typ"))}


def test_every_line_of_the_table_is_understood() -> None:
    lines = [line for line in source("words.typ").splitlines() if line.startswith('  "')]
    assert len(lines) == len(words()) > 100


def test_both_languages_are_there_with_the_same_places() -> None:
    for key, (english, chinese) in words().items():
        assert english and chinese, key
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", chinese)), key
        if key not in ALIKE:
            assert HAN.search(chinese) or chinese == "p（Holm）", key
        assert not HAN.search(english), key


def test_no_spaces_by_hand_between_han_and_latin() -> None:
    for key, (_english, chinese) in words().items():
        plain = re.sub(r"\{\w+\}", "", chinese)
        assert not re.search(r"[\u4e00-\u9fff] [A-Za-z0-9]|[A-Za-z0-9] [\u4e00-\u9fff]", plain), key


def test_every_key_is_used_and_every_use_has_a_key() -> None:
    code = "\n".join(source(path.name) for path in compiler.TEMPLATES.iterdir() if path.name != "words.typ")
    used = set(re.findall(r'\bw\(\s*"([\w.]+)"', code))
    known = set(words())
    assert (
        used
        - known
        - {"scope.", "env.", "kind.", "score.", "answers.", "evidence.", "trade.tag_", "trade.mark_"}
        == set()
    )
    # Keys whose last part is data: scope, environment, states.
    made = {key for key in known if key.split(".")[0] in {"scope", "env"}}
    made |= {"score.incomplete", "score.empty", "answers.unsure", "answers.unanswered"}
    made |= {
        "evidence.valid",
        "evidence.expired",
        "evidence.future",
        "evidence.verified",
        "evidence.declared",
    }
    made |= {"claimed", "demonstrated"}
    made |= {f"trade.{kind}_{mark}" for kind in ("tag", "mark") for mark in ("expired", "outgrown", "gone")}
    made |= {"trade.mark_withdrawn"}
    assert sorted(known - used - made) == []
