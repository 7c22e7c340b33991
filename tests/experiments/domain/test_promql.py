"""Scope matchers reach every selector, and no label value gets out of its quotes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.domain import promql
from experiments.domain.rules import quoted
from experiments.domain.signals import catalogue
from portal.errors import Invalid

SHIPPED = sorted({each.promql for stack in catalogue().stacks for each in stack.expressions})
# Every place in which a selector may hide, or something may look like one.
FORMS = [
    ("foo", 1),
    ("foo{}", 1),
    ('{__name__=~"vllm:.*"}', 1),
    ('foo{a="b",}', 1),
    ('foo{a="}{,"}', 1),
    ("foo{a='\\'}'}", 1),
    ("foo{a=`\\`}", 1),
    ('foo{a="b" # } \n}', 1),
    ("foo # bar\n + baz", 2),
    ("sum by (le, foo) (rate(bar[5m]))", 1),
    ("sum(rate(bar[5m])) by (le)", 1),
    ("sum without (foo) (bar)", 1),
    ("SUM BY (foo) (bar)", 1),
    ("a / on (foo) group_left b", 2),
    ("a / on (foo) group_left (x, y,) b", 2),
    ("a * ignoring (foo) group_right () b", 2),
    ("a and b or c unless on (x) d", 4),
    ("avg_over_time(sum(foo)[7d:1h])", 1),
    ("max_over_time(rate(foo[5m])[1h:] offset 1w)", 1),
    ("foo offset -5m", 1),
    ("foo[5m] @ 1609746000", 1),
    ("foo @ start() - bar @ end()", 2),
    ("quantile(0.95, a - b)", 2),
    ('count_values("version", build_info)', 1),
    ('label_replace(up, "a", "$1", "b", "(.*)")', 1),
    ("a > bool 0.5e-3 < Inf", 1),
    ("time() - 0x1F * 1e3", 0),
    ("vector(1) + nan", 0),
    ("-foo ^ 2 % 3 atan2 bar", 2),
    ("job:foo:rate5m", 1),
    ("on_call + bytes + offset_total", 3),
]
UNREADABLE = [
    *("", "foo{", "foo}", "foo)", "(foo", "foo[5m", "foo{a=b}", 'foo{a="b" c="d"}', 'foo{a="b" or c="d"}'),
    *("foo{a}", 'foo{"a\n"}', "by", "sum by le (foo)", 'sum{a="b"}', "on(1)", "$foo", "foo;bar", "1foo"),
    *('"unclosed', "foo{a='b\"}", "`", "foo[`]`]", "foo\x00", "x" * 20_001),
]
label_values = st.text(max_size=40)


@pytest.mark.parametrize(("expression", "count"), FORMS)
def test_every_selector_gets_the_matcher(expression: str, count: int) -> None:
    assert len(promql.selectors(expression)) == count
    rendered = promql.render(expression, {"cluster": "north"})
    assert rendered.count('cluster="north"') == count
    assert all(("cluster", "=", '"north"') in each.matchers for each in promql.selectors(rendered))
    assert promql.render(rendered, {"cluster": "north"}) == rendered


def test_what_stood_there_stays() -> None:
    assert promql.render('sum by (le) (rate(a{b="c",}[5m])) / d', {"x": "y", "z": "1"}) == (
        'sum by (le) (rate(a{b="c",x="y",z="1"}[5m])) / d{x="y",z="1"}'
    )
    assert promql.render('a{cluster="s"}', {"cluster": "n"}) == 'a{cluster="s",cluster="n"}'
    assert promql.render("a + b", {}) == "a + b"
    assert promql.render("a", {"ns": ["a.b", "c|d"]}) == 'a{ns=~"a\\\\.b|c\\\\|d"}'


@pytest.mark.parametrize("expression", UNREADABLE)
def test_what_cannot_be_read_is_refused(expression: str) -> None:
    with pytest.raises(Invalid):
        promql.render(expression, {"cluster": "north"})


@pytest.mark.parametrize("label", ["", "__name__", "a-b", "a b", '"', "1a", 'a="b",c', "é"])
def test_only_labels_are_labels(label: str) -> None:
    with pytest.raises(Invalid):
        promql.render("foo", {label: "x"})


@pytest.mark.parametrize("value", ["\ud800", "x" * 501])
def test_values_that_no_label_holds_are_refused(value: str) -> None:
    with pytest.raises(Invalid):
        promql.render("foo", {"a": value})
    with pytest.raises(Invalid):
        promql.render("foo", {"a": []})


@settings(max_examples=150)
@given(st.sampled_from(SHIPPED), label_values)
def test_a_hostile_value_changes_nothing_but_itself(expression: str, value: str) -> None:
    """The rendered expression has the selectors of the given one, each with one matcher more."""
    before, rendered = promql.selectors(expression), promql.render(expression, {"cluster": value})
    after = promql.selectors(rendered)
    assert [each.metric for each in after] == [each.metric for each in before]
    for old, new in zip(before, after, strict=True):
        assert new.matchers[:-1] == old.matchers
        label, operator, written = new.matchers[-1]
        # Our escapes are a subset of JSON's, so JSON reads the value back.
        assert (label, operator, json.loads(written)) == ("cluster", "=", value)


@settings(max_examples=200)
@given(st.text(alphabet="abc_:{}()[]\"'`,=~!<>#\\ \n0.5m", max_size=30))
def test_anything_is_either_scoped_in_full_or_refused(text: str) -> None:
    try:
        rendered = promql.render(text, {"cluster": "n"})
    except Invalid:
        return
    assert all(("cluster", "=", '"n"') in each.matchers for each in promql.selectors(rendered))


def test_promtool_reads_what_we_render(promtool: Callable[..., str], tmp_path: Path) -> None:
    """The forms above with hostile values, judged by Prometheus itself in one run."""
    hostile = ['a"} or vector(1) #', "\\", '\\"', "a\nb\t\x00\x7f", "`'", "{}", "雪 \U0001f600", ",", ""]
    # A recording rule gives no range.
    forms = [form for form, _count in FORMS if not form.startswith("foo[")]
    expressions = [promql.render(form, {"cluster": value}) for form in forms for value in hostile]
    lines = ["groups:", "  - name: g", "    rules:"]
    for number, expression in enumerate(expressions):
        lines += [f"      - record: a:b:c{number}", f"        expr: {quoted(expression)}"]
    (tmp_path / "rules.yaml").write_text("\n".join(lines), encoding="utf-8")
    assert f"{len(expressions)} rules found" in promtool(tmp_path, "check", "rules", "rules.yaml")
