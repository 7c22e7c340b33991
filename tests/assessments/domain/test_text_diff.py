"""Wordings side by side: nothing is lost, and only what differs is marked."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from assessments.domain.text_diff import pieces

words = st.lists(
    st.sampled_from(["In", " ", "90", "d", "≥", "95", "%", "有", "日志", "。", "\n"]), max_size=30
)


@given(words, words)
def test_the_parts_of_each_side_are_its_text(one: list[str], other: list[str]) -> None:
    before, after = "".join(one), "".join(other)
    old, new = pieces(before, after)
    assert "".join(text for text, _changed in old) == before
    assert "".join(text for text, _changed in new) == after
    # What is marked as shared is the same on both sides, in the same order.
    assert "".join(text for text, changed in old if not changed) == "".join(
        text for text, changed in new if not changed
    )
    if before == after:
        assert not any(changed for _text, changed in old)


def test_a_number_and_a_chinese_word() -> None:
    assert pieces("In 90 d ≥ 85 % pass.", "In 90 d ≥ 95 % pass.") == (
        (("In 90 d ≥ ", False), ("85", True), (" % pass.", False)),
        (("In 90 d ≥ ", False), ("95", True), (" % pass.", False)),
    )
    old, new = pieces("90天内有日志。", "90天内有工单。")
    assert old == (("90天内有", False), ("日志", True), ("。", False))
    assert new == (("90天内有", False), ("工单", True), ("。", False))


def test_other_texts_are_marked_as_a_whole() -> None:
    old, new = pieces("Backups exist.", "Nobody can delete a log.")
    assert [changed for _text, changed in old] == [True]
    assert [changed for _text, changed in new] == [True]
    assert pieces("", "New") == ((), (("New", True),))


def test_texts_made_to_be_slow_are_not() -> None:
    started = time.perf_counter()
    pieces("a b " * 20_000, "b a " * 20_000)
    pieces("x" + " a" * 59 + "y", "z" + " a" * 58 + "w")
    assert time.perf_counter() - started < 2
