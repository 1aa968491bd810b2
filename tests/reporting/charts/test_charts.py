"""What every chart has, and the numbers of each, counted by hand."""

from collections import Counter
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

from groupwise import InputError, OptionError, Report, compare, evaluate
from groupwise.evaluator.reporting.charts import CHARTS, draw_chart
from groupwise.evaluator.reporting.charts.canvas import measure
from groupwise.evaluator.reporting.charts.chart import Chart
from groupwise.evaluator.reporting.charts.figure import Figure, Line
from groupwise.evaluator.reporting.charts.scales import (
    Scale,
    build_axis,
    build_log_axis,
    choose_step,
    spread,
)
from groupwise.evaluator.reporting.charts.styles import (
    SERIES_STYLES,
    STYLES,
    STYLESHEET,
)
from groupwise.evaluator.reporting.charts.svg import draw_figure
from tests.reporting.charts.data import (
    COUNT,
    SUBJECTS,
    SVG,
    comparison,
    ground_truth,
    met,
    names,
    numbers,
    parse,
    rank_of,
    recall,
    report,
    run,
    texts,
)

EVERY = pytest.mark.parametrize("chart", CHARTS, ids=[chart.name for chart in CHARTS])
HOSTILE = (
    '<script>alert(1)</script>"onmouseover=alert(1) </script> javascript:x =cmd() ]]> &amp; '
    "\x1b[31m \u202e \x00 \ufffe \ud800 [bold] $x^$ "
)


def draw(chart: Chart, **options: Any) -> str:
    return draw_chart(SUBJECTS[chart.of](), chart.name, **options)


@EVERY
def test_a_chart_has_a_name_and_a_description(chart: Chart) -> None:
    root = parse(draw(chart))
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text
    assert len(root[1].text or "") > 20


@EVERY
def test_a_chart_within_a_page_needs_nothing_that_a_strict_policy_forbids(chart: Chart) -> None:
    for element in parse(draw(chart)).iter():
        assert element.tag.removeprefix(SVG) in {"svg", "title", "desc", "path", "rect", "text"}
        assert not {"style", "id", "href"} & {*element.attrib}
        assert not [name for name in element.attrib if name.startswith("on")]


@EVERY
@pytest.mark.parametrize("width", [300, 390, 640])
def test_texts_stay_within_the_drawing(chart: Chart, width: int) -> None:
    root = parse(draw(chart, width=width))
    assert root.get("width") == str(width)
    height = float(root.attrib["height"])
    for text in root.iter(f"{SVG}text"):
        wide = measure(text.text or "", float(text.get("font-size", "12"))) * 0.93
        x, anchor = float(text.attrib["x"]), text.attrib["text-anchor"]
        start = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        assert start >= 0, text.text
        assert start + wide <= width + 1, text.text
        assert 0 < float(text.attrib["y"]) < height


@EVERY
def test_the_colours_of_a_chart_are_declared(chart: Chart) -> None:
    for element in parse(draw(chart)).iter():
        for name in element.get("class", "").split():
            assert f".{name}{{" in STYLESHEET
    assert "<style>" in draw(chart, standalone=True)


@EVERY
def test_the_title_can_be_left_to_the_page(chart: Chart) -> None:
    title = parse(draw(chart))[0].text
    bold = [e for e in parse(draw(chart, headed=False)).iter(f"{SVG}text") if e.get("font-size")]
    assert parse(draw(chart, headed=False))[0].text == title
    assert not bold


@EVERY
def test_the_order_of_the_data_changes_nothing(chart: Chart) -> None:
    shuffled = sorted(ground_truth(), key=lambda record: record["id"][::-1])
    runs = {"fusion": run(7), "bm25": run(), "dense": run(3)}
    if chart.of == "report":
        results = dict(reversed(run().items()))
        metrics = ["recall@5", "ndcg", "first_hit"]
        again: Any = evaluate(shuffled, results, profile="coverage", by="type", metrics=metrics)
    else:
        again = compare(
            shuffled, runs, profile="coverage", metrics=["recall@5", "ndcg"], permutations=100
        )
    assert draw_chart(again, chart.name) == draw(chart)


@EVERY
def test_text_from_data_is_text(chart: Chart) -> None:
    truths = [
        {"id": HOSTILE.replace("\ud800", "") + record["id"],
         "ground_truth": [{**group, "label": HOSTILE} for group in record["ground_truth"]],
         "metadata": {HOSTILE: HOSTILE}}
        for record in ground_truth()
    ]  # fmt: skip
    ids = [record["id"] for record in truths]
    one, other = (dict(zip(ids, run(s).values(), strict=True)) for s in (0, 3))
    if chart.of == "report":
        subject: Any = evaluate(truths, one, by=HOSTILE)
    else:
        subject = compare(truths, {HOSTILE: one, f"{HOSTILE}2": other}, permutations=10)
    svg = draw_chart(subject, chart.name, standalone=True)
    root = parse(svg)
    assert not [e.tag for e in root.iter() if e.tag.removeprefix(SVG) in ("script", "a", "image")]
    assert not [a for e in root.iter() for a in e.attrib if a.startswith("on")]
    assert not {"\x1b", "\u202e", "\x00", "\ufffe", "\ud800"} & {*svg}
    if chart.name in ("missed", "intervals"):
        assert any("<script>alert(1)</script>" in text for text in names(svg))


def test_lines_of_the_curve_are_the_means_at_each_cutoff() -> None:
    svg = draw_chart(report(), "curve", k=12)
    found = {(name, int(k)): value for name, k, value in
             numbers(names(svg), r"(\w+) at (\d+): ([\d.]+)")}  # fmt: skip
    for k in range(1, 13):
        hits = [met(i, k) for i in range(COUNT)]
        assert found["recall", k] == f"{fmean(recall(i, k) for i in range(COUNT)):.4f}"
        assert found["complete", k] == f"{fmean(h == i % 3 + 1 for i, h in enumerate(hits)):.4f}"
        assert found["precision", k] == f"{fmean(h / k for h in hits):.4f}"
    assert len(found) == 36


def test_the_cutoff_that_completes_most_queries_is_marked() -> None:
    truth = {f"q{i}": [[f"d{i}"]] for i in range(20)}
    results = {f"q{i}": ["x"] * (i // 4) + [f"d{i}"] for i in range(20)}
    assert "95 % complete at k = 5" in texts(draw_chart(evaluate(truth, results), "curve"))
    late = results | {"q0": ["x"] * 200 + ["d0"], "q1": ["x"]}
    svg = draw_chart(evaluate(truth, late), "curve")
    assert not [text for text in texts(svg) if text.startswith("95 %")]
    assert any("fewer than 95 %" in text.lower() for text in texts(svg))


def test_a_curve_ends_where_nothing_is_met_any_more() -> None:
    deepest = max(rank_of(i, g) or 0 for i in range(COUNT) for g in range(i % 3 + 1))
    ticks = [int(text) for text in texts(draw_chart(report(), "curve")) if text.isdigit()]
    shown = numbers(names(draw_chart(report(), "curve")), r"recall at (\d+): [\d.]+")
    assert max(int(k) for (k,) in shown) == deepest == 14
    assert max(ticks) <= deepest


def test_a_curve_that_the_report_has_is_taken() -> None:
    again = Report.model_validate_json(report(curve=4).to_json())
    shown = numbers(names(draw_chart(again, "curve")), r"recall at (\d+): [\d.]+")
    assert [int(k) for (k,) in shown] == [4, 3, 2, 1]


def test_columns_of_the_distribution_are_counts() -> None:
    svg = draw_chart(report(), "distribution", metric="Recall @5")
    found = numbers(names(svg), r"([\d.]+) to ([\d.]+): (\d+) quer.*")
    expected = Counter(min(int(recall(i, 5) * 20 + 1e-9), 19) for i in range(COUNT))
    assert {round(float(low) * 20): int(count) for low, _, count in found} == expected
    assert f"mean {fmean(recall(i, 5) for i in range(COUNT)):.4f}" in texts(svg)


def test_ranks_have_a_column_for_none() -> None:
    svg = draw_chart(report(), "distribution", metric="first_hit")
    firsts = [min(rank_of(i, g) or 99 for g in range(i % 3 + 1)) for i in range(COUNT)]
    found = dict(numbers(names(svg), r"(?:rank )?([\w ]+): (\d+) quer.*"))
    expected = Counter("no rank" if rank == 99 else str(rank) for rank in firsts)
    assert {name: int(count) for name, count in found.items()} == expected


def test_values_beyond_the_unit_interval_have_columns() -> None:
    values = {"q1": -3.5, "q2": 12.0, "q3": 12.0, "q4": None}
    odd = Report.model_validate({
        "schema": "groupwise.report/1", "profile": "autorag", "counts": {"queries": 4, "scored": 3},
        "scores": {"odd": 6.8333333}, "per_query": {q: {"odd": v} for q, v in values.items()},
        "warnings": [],
    })  # fmt: skip
    svg = draw_chart(odd, "distribution")
    counts = [int(count) for _, _, count in numbers(names(svg), r"(\S+) to (\S+): (\d+) quer.*")]
    assert sorted(counts) == [1, 2]
    assert "1 query without a score" in (parse(svg)[1].text or "")


def test_bars_of_missed_groups_are_counts_by_reason() -> None:
    svg = draw_chart(report(), "missed", k=5)
    ranks = [rank_of(i, g) for i in range(COUNT) for g in range(i % 3 + 1)]
    expected = {
        "not retrieved": ranks.count(None),
        "met beyond k = 5": sum(rank is not None and rank > 5 for rank in ranks),
        "met": sum(rank is not None and rank <= 5 for rank in ranks),
    }
    found = numbers(names(svg), r"(not retrieved|met|met beyond k = 5): (\d+) of (\d+)")
    whole = {name: int(count) for name, count, groups in found if int(groups) == len(ranks)}
    assert whole == {name: count for name, count in expected.items() if count}
    assert {"by label", "by type", "hop-0", "hop-2", "bridge"} <= {*texts(svg)}
    first = [rank_of(i, 0) for i in range(COUNT)]
    missed = sum(rank is None or rank > 5 for rank in first)
    assert f"{missed} of {COUNT}" in texts(svg)


def test_dots_are_means_and_lines_are_intervals() -> None:
    found = comparison(baseline="bm25")
    svg = draw_chart(found, "intervals")
    for name, shift in (("bm25", 0), ("dense", 3), ("fusion", 7)):
        mean = fmean(recall(i, 5, shift) for i in range(COUNT))
        assert any(text.startswith(f"{name}: {mean:.4f} (") for text in names(svg))
    assert {"recall@5", "ndcg", "baseline", "other runs"} <= {*texts(svg)}
    only = draw_chart(found, "intervals", metric="nDCG")
    assert "recall@5" not in texts(only)


def test_differences_are_sorted() -> None:
    svg = draw_chart(comparison(), "differences", a="bm25", b="fusion")
    differences = sorted((recall(i, 5, 7) - recall(i, 5) for i in range(COUNT)), reverse=True)
    counted = Counter(f"{value:+.4f}" for value in differences if value)
    found = numbers(names(svg), r"(\d+) quer\w+: (.*)")
    assert {value: int(count) for count, value in found} == counted
    assert all(float(one) > float(two) for (_, one), (_, two) in pairwise(found))
    wins, losses = (sum(s * d > 0 for d in differences) for s in (1, -1))
    assert f"{wins} above 0: fusion is better" in texts(svg)
    assert f"{losses} below 0: bm25 is better" in texts(svg)


def test_a_pair_can_be_turned() -> None:
    one = draw_chart(comparison(), "differences", a="bm25", b="fusion")
    other = draw_chart(comparison(), "differences", a="fusion", b="bm25")
    gains = [value for _, value in numbers(names(one), r"(\d+) quer\w+: (.*)")]
    losses = [value for _, value in numbers(names(other), r"(\d+) quer\w+: (.*)")]
    assert [float(value) for value in gains] == [-float(value) for value in reversed(losses)]


def test_many_queries_make_no_more_columns_than_a_screen_has() -> None:
    count = 5000
    truth = {f"q{i}": [[f"d{i}"]] for i in range(count)}
    one = {f"q{i}": ["x"] * (i % 997) + [f"d{i}"] for i in range(count)}
    other = {f"q{i}": ["x"] * (i % 991) + [f"d{i}"] for i in range(count)}
    found = compare(truth, {"a": one, "b": other}, metrics="mrr", permutations=10)
    svg = draw_chart(found, "differences")
    drawn = numbers(names(svg), r"([\d,]+) quer\w+: (.*)")
    assert len(drawn) <= 400
    largest = max(1 / (i % 991 + 1) - 1 / (i % 997 + 1) for i in range(count))
    assert drawn[0][1] == f"{largest:+.4f}"
    assert len(svg) < 100_000


@pytest.mark.parametrize("chart", ["curve", "distribution", "missed"])
def test_one_query_is_enough(chart: str) -> None:
    assert parse(draw_chart(evaluate({"q": [["a"]]}, {"q": ["a"]}), chart)) is not None


@pytest.mark.parametrize("chart", ["intervals", "differences"])
def test_equal_runs_are_drawn(chart: str) -> None:
    one = {"q": ["a"]}
    found = compare({"q": [["a"]]}, {"a": one, "b": one}, metrics="recall")
    assert parse(draw_chart(found, chart)) is not None


def test_thirty_runs_with_long_names_are_drawn() -> None:
    runs = {f"run {n:02} with a name that goes on and on {'x' * n}": run(n) for n in range(30)}
    found = compare(ground_truth(), runs, metrics="recall@5", permutations=10)
    svg = draw_chart(found, "intervals", width=360)
    assert {*runs} <= {*names(svg)}
    rows = [e for e in parse(svg).iter(f"{SVG}text") if e.find(f"{SVG}title") is not None]
    places = [float(row.attrib["y"]) for row in rows]
    assert all(later - earlier >= 18 for earlier, later in pairwise(places))


def test_names_that_differ_at_their_ends_differ_when_cut() -> None:
    runs = {f"{'retriever-with-chunks-of-' * 3}{size}": run(size) for size in (256, 512)}
    found = compare(ground_truth(), runs, metrics="recall@5", permutations=10)
    shown = [text for text in texts(draw_chart(found, "intervals", width=360)) if "…" in text]
    assert sorted(text[-3:] for text in shown) == ["256", "512"]


@pytest.mark.parametrize(("chart", "options", "message"), [
    ("pie", {}, "no chart 'pie' of a report; choose from curve, distribution, missed"),
    ("differences", {}, "no chart 'differences' of a report; choose from"),
    ("curves", {}, "did you mean 'curve'"),
    ("curve", {"metric": "recall"}, "the chart 'curve' has no option metric=; it takes: k="),
    ("curve", {"k": 0}, "k: expected a whole number from 1 on, got 0"),
    ("curve", {"k": 10**9}, "at most 10,000"),
    ("distribution", {"metric": "recal@5"}, "metric: no score 'recal@5'; did you mean 'recall@5'"),
])  # fmt: skip
def test_what_a_report_cannot_draw_is_refused(
    chart: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        draw_chart(report(), chart, **options)


@pytest.mark.parametrize(("options", "message"), [
    ({"a": "bm52"}, "a: no run 'bm52'; did you mean 'bm25'"),
    ({"metric": "mrr"}, "metric: no score 'mrr'; choose from recall@5, ndcg"),
    ({"a": "dense", "b": "fusion"}, "'dense' and 'fusion' are not compared; choose from bm25 and"),
])  # fmt: skip
def test_what_a_comparison_cannot_draw_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        draw_chart(comparison(baseline="bm25"), "differences", **options)


POLICIES: list[dict[str, Any]] = [
    {"profile": "trec"}, {"matching": "normalised"}, {"empty_results": "skip"},
    {"missing": "skip"}, {"unanswerable": "zero"}, {"ties": "report"}, {"metrics": "recall@150t"},
    {"gates": ["recall >= 0.9"]}, {"by": "groups"},
]  # fmt: skip


@pytest.mark.parametrize("options", POLICIES, ids=str)
@pytest.mark.parametrize("chart", ["curve", "distribution", "missed"])
def test_charts_go_with_policies_matchers_and_budgets(chart: str, options: dict[str, Any]) -> None:
    truth = {"q1": [["a", "b"], ["c"]], "q2": [["d"]], "q3": [], "q4": [["e"]]}
    tokens = [{"id": name, "tokens": 100} for name in ("a", "x", "c")]
    found = evaluate(truth, {"q1": tokens, "q2": []}, **options)
    assert parse(draw_chart(found, chart)) is not None


def test_a_live_retriever_is_not_asked_again() -> None:
    calls: list[str] = []

    def retrieve(query: str) -> list[str]:
        calls.append(query)
        return ["x", "a"]

    truth = [{"id": "q1", "query": "text", "ground_truth": [["a"]]}]
    found = evaluate(truth, retriever=retrieve, metrics=["recall"])
    for chart in ("curve", "missed"):
        assert parse(draw_chart(found, chart)) is not None
    assert calls == ["text"]


def test_data_that_is_not_there_is_named() -> None:
    loaded = Report.model_validate_json(report().to_json())
    for chart, missing in (("curve", "curve=K"), ("missed", "explain=N")):
        with pytest.raises(InputError, match=missing):
            draw_chart(loaded, chart)
    with pytest.raises(InputError, match="per_query=True"):
        draw_chart(report(per_query=False), "distribution")
    found = comparison()
    read = type(found).model_validate_json(found.to_json())
    with pytest.raises(InputError, match="compare the runs again"):
        draw_chart(read, "differences")
    assert parse(draw_chart(read, "intervals")) is not None


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("role", sorted({*STYLES} - {"ground", "grid", "met"}))
def test_colours_stand_out_from_light_and_dark(role: str) -> None:
    named = {"ink", "muted", "recall", "complete", "precision", *SERIES_STYLES}
    least = 4.5 if role in named else 3.0
    assert contrast(STYLES[role].light, STYLES["ground"].light) >= least
    assert contrast(STYLES[role].dark, STYLES["ground"].dark) >= least


def test_lines_differ_by_more_than_colour() -> None:
    lines = [STYLES[role] for role in ("recall", "complete", "precision")]
    assert len({line.dash for line in lines}) == len({line.marker for line in lines}) == 3
    series = {(line.dash, line.marker) for line in SERIES_STYLES.values()}
    assert len(series) == len({line.dash for line in SERIES_STYLES.values()}) == len(SERIES_STYLES)
    reasons = [STYLES[role] for role in ("beyond_k", "not_retrieved", "not_in_corpus")]
    assert len({reason.hatch for reason in reasons}) == 3


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3.7, 12), (0.61, 0.62), (5, 5), (0, 1e-9),
                                       (-1e12, 1e12)])  # fmt: skip
def test_axes_hold_their_values(low: float, high: float) -> None:
    axis = build_axis("x", low, high)
    assert axis.low <= low <= high <= axis.high
    assert 2 <= len(axis.ticks) <= 8
    assert len({text for _, text in axis.ticks}) == len(axis.ticks)


@pytest.mark.parametrize(
    ("low", "high", "ends", "ticks"),
    [
        (0.02, 3, (0.02, 5), [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]),
        (1, 1000, (1, 1000), [1, 10, 100, 1000]),
        (0.003, 400, (0.002, 500), [0.01, 0.1, 1, 10, 100]),
        (7, 7, (5, 10), [5, 10]),
        (1, 1, (1, 2), [1, 2]),
    ],
)
def test_logarithmic_axes_have_round_ends_and_ticks(
    low: float, high: float, ends: tuple[float, float], ticks: list[float]
) -> None:
    axis = build_log_axis("x", low, high)
    assert (axis.low, axis.high) == ends
    assert [value for value, _ in axis.ticks] == ticks


def test_equal_factors_are_equally_far_apart_on_a_logarithmic_scale() -> None:
    scale = Scale(1, 1000, 0, 300, is_log=True)
    assert [scale.place(value) for value in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])
    assert (scale.place(0), scale.place(-5), scale.place(1e9)) == (0, 0, 300)


def test_a_figure_with_logarithmic_axes_is_drawn_in_its_own_units() -> None:
    axes = build_log_axis("queries", 1000, 100_000), build_log_axis("seconds", 0.01, 1)
    line = Line("series_2", "peer", [(1000, 0.01), (10_000, 0.1), (100_000, 1)])
    root = parse(draw_figure(Figure("Growth", "It grows.", *axes, [line]), 500, standalone=True))
    assert "peer at 10,000: 0.1" in [title.text for title in root.iter(f"{SVG}title")]
    style = root.find(f"{SVG}style")
    assert style is not None
    assert ".gw-line-series-2{" in (style.text or "")
    assert "series" not in STYLESHEET


def test_steps_are_round() -> None:
    assert [choose_step(span, 5) for span in (1, 0.3, 12, 99)] == [0.2, 0.1, 2.5, 20]


def test_labels_are_moved_apart() -> None:
    assert spread([5, 5, 5], 10, 0, 100) == [5, 15, 25]
    assert spread([95, 95, 95], 10, 0, 100) == [80, 90, 100]
