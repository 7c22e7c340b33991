"""Numbers in the PDF are rounded exactly as on the pages."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import typst

from frontend.templatetags.ui import number
from portal.reports import compiler


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the template prints for VALUES with 0, 2 and 3 decimals, and with a plus sign."""
    root = tmp_path_factory.mktemp("numbers")
    (root / "numbers.typ").write_bytes((compiler.TEMPLATES / "numbers.typ").read_bytes())
    document = Path(root / "values.typ")
    document.write_text(
        '#import "numbers.typ": fixed\n'
        "#let values = json(bytes(sys.inputs.data))\n"
        "#metadata((\n"
        '  "0": values.map(each => fixed(each, digits: 0)),\n'
        '  "2": values.map(each => fixed(each)),\n'
        '  "3": values.map(each => fixed(each, digits: 3)),\n'
        '  "signed": values.map(each => fixed(each, signed: true)),\n'
        ")) <out>",
        encoding="utf-8",
    )
    found = typst.Compiler(str(document), root=str(root), sys_inputs={"data": json.dumps(VALUES)}).query(
        "<out>", field="value", one=True
    )
    result = json.loads(found)
    assert isinstance(result, dict)
    return result


_chance = random.Random(5)
VALUES: list[float] = [
    *(eighths / 8 for eighths in range(41)),  # the exact ties of a mean over 8 practices
    *(a / b for b in range(1, 13) for a in range(5 * b + 1)),
    *(2.675, 1.005, 0.285, 1.115, 2.5, 0.5, 1.5, 0.0005, 0.0015, 0.00049999, 1e-9, 5e-324),
    *(0.0, 4.999, 4.995, 4.9949999999, 12345.675, 987654.5, 1234567.0, 90754.0),
    *(_chance.uniform(0, 5) for _each in range(400)),
    *(-_chance.uniform(0, 5) for _each in range(100)),
    *(_chance.uniform(0, 1e7) for _each in range(100)),
]


@pytest.mark.parametrize("digits", [0, 2, 3])
def test_rounding_is_that_of_the_pages(digits: int, printed: dict[str, list[str]]) -> None:
    assert printed[str(digits)] == [number(value, digits) for value in VALUES]


def test_signs_are_those_of_the_pages(printed: dict[str, list[str]]) -> None:
    assert printed["signed"] == [number(value, 2, signed=True) for value in VALUES]
