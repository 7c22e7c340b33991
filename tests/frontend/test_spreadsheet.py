"""CSV cells: text is never a formula, numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest

from frontend.spreadsheet import cell, csv_response


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_begins_like_a_formula_is_quoted(start: str) -> None:
    assert cell(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    ("value", "text"), [(-0.5, "-0.5"), (-3, "-3"), (None, ""), ("a=b", "a=b"), (0, "0")]
)
def test_other_values_stay_as_they_are(value: object, text: str) -> None:
    assert cell(value) == text


def test_the_response_reads_back() -> None:
    response = csv_response(["甲", "b"], [['x,\n"y"', -1.5]], name="报告.csv")
    body = response.content.decode("utf-8-sig")
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(body))) == [["甲", "b"], ['x,\n"y"', "-1.5"]]
    assert "filename*=utf-8''" in response["Content-Disposition"]
