"""Compare two samples, or two scorecards, without a database.

    python manage.py compare --a FILE --b FILE [--strata FILE|JSON] [--block N|auto] --json

Exit 0 with the comparison on stdout (a statistical refusal is a result: `ks` null, `refused` says why);
exit 2 with every error and its place on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.errors import Invalid
from portal.stats.compare import SampleComparison, check_settings, compare_levels, compare_samples
from portal.stats.design import Reason
from portal.stats.samples import MAX_BYTES, Problem, Sample, SampleErrors, read_labels, read_sample

BAD_INPUT = 2
SAME = {
    "matrix_sha256": ("other_matrix", "the two scorecards are of different matrices"),
    "scope": ("other_scope", "the two scorecards are of different scopes"),
}
_T = TypeVar("_T")


class Command(BaseCommand):
    """See the module; formats and methods are described in docs/reference/statistics.md."""

    help = "Compare two samples of numbers or two scorecards (JSON), without a database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        sample = 'JSON: [numbers], {"values": [], "units": []}, or the output of score --json'
        parser.add_argument("--a", required=True, help=sample)
        parser.add_argument("--b", required=True, help="the same; differences are a - b")
        parser.add_argument("--alpha", type=float, default=0.05, help="the interval's level is 1 - alpha")
        parser.add_argument("--resamples", type=int, default=1000, help="relabelings and bootstrap resamples")
        parser.add_argument("--seed", type=int, default=0, help="same seed, same numbers")
        parser.add_argument("--strata", help="labels for the values of a, then of b: a JSON list or its file")
        parser.add_argument("--block", help="values in time order: block length, or auto")
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        # Every option and file is read before anything is refused, so that all errors come at once.
        problems: list[Problem] = []
        settings = {key: options[key] for key in ("alpha", "resamples", "seed")}
        try:
            check_settings(**settings)
        except Invalid as error:
            problems.append(Problem(f"--{error.place}", "", error.message))
        block = _block(options["block"], problems)
        a = _read(options["a"], read_sample, problems)
        b = _read(options["b"], read_sample, problems)
        strata = _strata(options["strata"], problems)
        if a is not None and b is not None:
            problems.extend(_mismatches(a, b, strata, block, options))
        if problems or a is None or b is None:
            raise _refusal(problems)
        try:
            result = _compare(a, b, strata=strata, block=block, **settings)
        except Invalid as error:
            raise _refusal([Problem(f"{options['a']}, {options['b']}", "", error.message)]) from None
        document = {**result.as_dict(), **settings}
        text = (
            json.dumps(document, indent=2, allow_nan=False) if options["json"] else "\n".join(lines(result))
        )
        self.stdout.write(text)


def _compare(
    a: Sample,
    b: Sample,
    *,
    strata: tuple[str, ...] | None,
    block: int | Literal["auto"] | None,
    **settings: Any,
) -> SampleComparison:
    if a.levels is not None and b.levels is not None:
        result = compare_levels(a.levels, b.levels, **settings)
        for key, (code, message) in SAME.items():
            if a.header.get(key) != b.header.get(key) and key in a.header and key in b.header:
                return replace(result, ks=None, refused=Reason(code, message))
        return result
    units = None if a.units is None or b.units is None else (*a.units, *b.units)
    return compare_samples(a.values, b.values, units=units, strata=strata, block=block, **settings)


def _mismatches(
    a: Sample,
    b: Sample,
    strata: tuple[str, ...] | None,
    block: int | Literal["auto"] | None,
    options: dict[str, Any],
) -> Iterator[Problem]:
    """What is wrong with the two files together."""
    both = f"{options['a']}, {options['b']}"
    if (a.levels is None) != (b.levels is None):
        yield Problem(both, "", "one is a scorecard, the other a list of numbers")
        return
    if a.levels is not None and (strata is not None or block is not None):
        yield Problem("--strata" if strata is not None else "--block", "", "does not apply to scorecards")
    if (a.units is None) != (b.units is None):
        yield Problem(
            options["b"] if a.units else options["a"], "units", "are missing; the other file has them"
        )
    if a.levels is None and strata is not None and len(strata) != len(a.values) + len(b.values):
        yield Problem(
            "--strata", "", f"{len(strata)} labels for {len(a.values)} + {len(b.values)} values (a, then b)"
        )
    if block is not None and (a.units is not None or b.units is not None or strata is not None):
        yield Problem("--block", "", "cannot be combined with units or --strata")


def _block(text: str | None, problems: list[Problem]) -> int | Literal["auto"] | None:
    if text is None or text == "auto":
        return "auto" if text else None
    if text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0:
        return int(text)
    problems.append(Problem("--block", "", "is not auto or a whole number of at least 1"))
    return None


def _strata(text: str | None, problems: list[Problem]) -> tuple[str, ...] | None:
    if text is None or not text.lstrip().startswith("["):
        return None if text is None else _read(text, read_labels, problems)
    try:
        return read_labels(text.encode("utf-8", "surrogateescape"), "--strata")
    except SampleErrors as error:
        problems.extend(error.problems)
        return None


def _read(path: str, parse: Callable[[bytes, str], _T], problems: list[Problem]) -> _T | None:
    """The parsed content of a file; None, with all problems, where there is none."""
    try:
        with Path(path).open("rb") as file:
            # One byte more than is allowed shows that a file is too large, however endless it is.
            return parse(file.read(MAX_BYTES + 1), path)
    except SampleErrors as error:
        problems.extend(error.problems)
    except (OSError, ValueError) as error:
        # ValueError: a path with a zero byte.
        reason = getattr(error, "strerror", None) or str(error)
        problems.append(Problem(path, "", f"cannot be read: {reason}"))
    return None


def _refusal(problems: list[Problem]) -> CommandError:
    texts = [str(problem).encode("utf-8", "backslashreplace").decode() for problem in problems]
    return CommandError("\n".join([f"{len(texts)} error(s)", *texts]), returncode=BAD_INPUT)


def lines(result: SampleComparison) -> Iterator[str]:
    """The comparison as lines of text."""
    yield f"n = {result.n[0]} and {result.n[1]}"
    if result.pairing:
        one, two = len(result.pairing.only_in_a), len(result.pairing.only_in_b)
        yield f"paired by {result.pairing.by}: {result.pairing.pairs} pairs; {one} only in a, {two} only in b"
    if result.ks:
        yield (
            f"Kolmogorov-Smirnov D = {result.ks.statistic:.4f}, p = {result.ks.p_value:.4g} "
            f"({result.ks.method}, exchanged: {result.ks.exchange})"
        )
    elif result.refused:
        yield f"no test: {result.refused.message}"
    yield f"difference a - b = {result.difference:.4f}, Cliff's delta = {result.cliffs_delta:.4f}"
    if result.stratified_difference is not None:
        yield f"difference inside the strata = {result.stratified_difference:.4f}"
    if result.interval:
        found = result.interval
        span = f"{found.low:.4f} to {found.high:.4f}"
        yield f"{found.level:.4g} interval of the difference {span} ({found.method})"
    elif result.interval_refused:
        yield f"no interval: {result.interval_refused.message}"
