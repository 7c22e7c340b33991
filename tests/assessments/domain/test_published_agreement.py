"""The published figures of agreement are those of the published answers, and clear the bars."""

from __future__ import annotations

import re
from pathlib import Path

from assessments.domain.json_values import read_json
from assessments.domain.ratings import RaterAgreement, compare_ratings, parse_rating
from assessments.domain.shipped import v2_3

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "agreement"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def agreement_of(*names: str) -> RaterAgreement:
    matrix = v2_3()
    ratings = [
        parse_rating(read_json((FOLDER / f"{name}.json").read_bytes()), matrix, name=name) for name in names
    ]
    return compare_ratings(matrix, ratings, resamples=10)


def row(name: str) -> list[str]:
    found = re.search(rf"^\| {re.escape(name)} \| (.+) \| (.+) \|$", PAGE, re.M)
    assert found, name
    return list(found.groups())


def test_the_page_says_what_the_command_says() -> None:
    demo = agreement_of(*(f"r{number}_{dossier}" for dossier in "AB" for number in (1, 2, 3)))
    notes = agreement_of("r4_C", "r5_C", "r6_C")
    for column, found in enumerate((demo, notes)):
        shape = found.as_dict()
        clauses = shape["clauses"]
        assert row("units with levels")[column] == str(shape["units"])
        assert row("quadratic kappa")[column] == f"{shape['quadratic_kappa']:.3f}"
        assert row("Gwet AC2")[column] == f"{shape['gwet_ac2']:.3f}"
        assert row("exact, pairs")[column] == f"{shape['exact']:.3f}, {shape['pairs']}"
        assert row("within one level")[column] == f"{shape['within_one']:.3f}"
        assert row("clauses: kappa, exact, number")[column] == (
            f"{clauses['kappa']:.3f}, {clauses['exact']:.3f}, {clauses['units']}"
        )
        assert row("practices to reword (below 60 % exact)")[column] == str(len(shape["reword"]))
    assert demo.overall.kappa is not None and demo.overall.kappa >= 0.70
    assert demo.near is not None and demo.near >= 0.95


def test_the_raw_table_is_that_of_the_answers() -> None:
    demo = agreement_of(*(f"r{number}_{dossier}" for dossier in "AB" for number in (1, 2, 3)))
    shown = dict(re.findall(r"^\| ([A-Z]+-\d\d) \| ([^|]+ \| [^|]+) \| [^|]+ \| [^|]*\|$", PAGE, re.M))
    assert len(shown) == 48
    for name, each in demo.practices.items():
        cells = [
            " ".join(
                "?" if rater not in levels else "N/A" if levels[rater] is None else str(levels[rater])
                for rater in demo.raters
            )
            for levels in (each.levels.get("A", {}), each.levels.get("B", {}))
        ]
        assert shown[name] == " | ".join(cells)
