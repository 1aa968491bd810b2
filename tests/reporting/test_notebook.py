"""Views in notebooks: small, escaped, without script; and the ``repr`` on one line."""

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import groupwise
from groupwise import (
    Corpus,
    Dataset,
    Fixture,
    Run,
    compare,
    evaluate,
    explain,
    inspect,
    power,
    remap,
    validate,
)
from groupwise.evaluator.reporting.notebook import VIEWS, build_view
from groupwise.evaluator.text import UNSEEN
from groupwise.schemas import GroundTruth, RunQuery
from groupwise.schemas.rendering import Rendered

HOSTILE = [
    "<script>alert(1)</script>",
    '"onmouseover="alert(1)',
    "</script></td></table><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\x1b[31mred\x1b]8;;http://x\x07",
    "a\u202eb\u2066c",
    "[bold]x[/bold] {{7*7}} ${7*7}",
    "&lt;b&gt; &amp; 'q'",
]
TAGS = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "pre"}
METRICS = ["recall@3", "ndcg@3", "first_hit"]


def build_truth(text: str, queries: int = 2) -> dict[str, Any]:
    groups = [[f"{text} a", "b"], {"alternatives": [f"{text} c"], "label": text}]
    record = {"query": text, "ground_truth": groups, "metadata": {text: text}}
    return {f"{text} {number}": record for number in range(queries)}


def build_run(text: str, queries: int = 2, best: str = "x") -> dict[str, Any]:
    return {f"{text} {number}": [best, f"{text} a", f"{text} c"] for number in range(queries)}


def build_report(text: str, queries: int = 2) -> Any:
    truth, run = build_truth(text, queries), build_run(text, queries)
    return evaluate(truth, run, metrics=METRICS, gates=["recall@3 >= 2"], confidence=0.9)


def build_comparison(text: str, queries: int = 2) -> Any:
    runs = {text: build_run(text, queries), f"{text} 2": build_run(text, queries, f"{text} a")}
    return compare(build_truth(text, queries), runs, metrics=METRICS[:2], permutations=50)


def build_findings(text: str, queries: int = 2) -> Any:
    return validate(build_truth(text, queries), run=build_run(text, queries))


def build_power(text: str, queries: int = 2) -> Any:
    return power(build_truth(text, queries), {text: build_run(text, queries)}, metrics=METRICS[:1])


def build_remap(text: str, queries: int = 2) -> Any:
    return remap({text: [[text]] * queries}, old={text: "one text"}, new={text: "other words"})


def build_inspection(text: str, queries: int = 2) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_text((json.dumps({text: text}) + "\n") * queries, "utf-8")
        return inspect(path)


SAMPLES: dict[str, Callable[..., Any]] = {
    "Report": build_report,
    "Comparison": build_comparison,
    "Explanation": lambda text, n=2: explain(build_truth(text, n), build_run(text, n), k=2),
    "ValidationReport": build_findings,
    "PowerAnalysis": build_power,
    "Remapped": build_remap,
    "Inspection": build_inspection,
    "Dataset": lambda text, n=2: Dataset.model_validate(build_truth(text, n)),
    "Run": lambda text, n=2: Run.model_validate(build_run(text, n)),
    "Query": lambda text, n=2: Dataset.model_validate(build_truth(text, n)).queries[0],
}
"""A function per type with a view; it returns an object with a text in all its places."""


def list_concrete(base: Any) -> Iterator[Any]:
    derived = base.__subclasses__()
    yield from [base] if not derived else (leaf for each in derived for leaf in list_concrete(each))


def test_every_type_with_a_view_is_tested() -> None:
    assert [getattr(groupwise, name) for name in groupwise.__all__]  # loads every model
    assert set(SAMPLES) == {model.__name__ for model in (*VIEWS, *list_concrete(Rendered))}


class Checker(HTMLParser):
    """Collects the text of HTML, and refuses what a view does not need."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert {name for name, _ in attrs} <= {"style"}
        assert not re.search("color|url|background", " ".join(style or "" for _, style in attrs))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", SAMPLES)
def test_hostile_text_is_shown_as_text(name: str, text: str) -> None:
    subject = SAMPLES[name](text)
    html = subject._repr_html_()
    assert not UNSEEN.search(html.replace("\n", ""))
    shown = "".join(Checker(html).texts)
    assert UNSEEN.sub("?", text)[:12].split("?")[0] in shown
    assert html.encode()
    one_line = repr(subject)
    assert not UNSEEN.search(one_line)
    assert len(one_line) < 400


@pytest.mark.parametrize("name", SAMPLES)
def test_a_view_of_much_data_is_small(name: str) -> None:
    subject = SAMPLES[name]("q", 500)
    assert len(subject._repr_html_()) < 20_000
    assert len(repr(subject)) < 400
    assert "\n" not in repr(subject)


@pytest.mark.parametrize("name", sorted({*SAMPLES} - {"Inspection"}))  # no file can hold it
def test_a_lone_surrogate_can_be_written(name: str) -> None:
    assert SAMPLES[name]("\ud800")._repr_html_().encode()


def test_views_of_nothing() -> None:
    assert "0 queries" in Run.model_validate({})._repr_html_()  # type: ignore[operator]
    empty = evaluate({"q": []}, {"q": ["a"]}, metrics=["recall"], per_query=False)
    assert "1 unanswerable" in str(empty._repr_html_())
    assert "no findings" in str(validate({"q": [["a"]]})._repr_html_())
    unanswerable = Dataset.model_validate({"q": {"ground_truth": [], "answerable": False}})
    assert "unanswerable" in str(unanswerable._repr_html_())
    assert "unanswerable" in str(unanswerable.queries[0]._repr_html_())


def test_small_values_have_no_view() -> None:
    assert build_view(GroundTruth.model_validate([["a"]])) is None
    assert GroundTruth.model_validate([["a"]])._repr_html_() is None


def test_a_report_shows_numbers_gates_and_the_worst_queries() -> None:
    truth = {"q1": [["a"], ["b"]], "q2": [["c"]]}
    run = {"q1": ["a", "x"], "q2": ["x", "c"]}
    gates = ["recall@2 >= 0.5", "mrr@1 >= 0.9"]
    report = evaluate(truth, run, metrics=["recall@2", "mrr@1"], gates=gates)
    text = "|".join(Checker(str(report._repr_html_())).texts)
    assert text.startswith("Report|: profile autorag; 2 queries, 2 scored|")
    assert "mrr@1 >= 0.9|✗ failed|" in text
    assert text.index("mrr@1 >= 0.9") < text.index("recall@2 >= 0.5|✓ passed|")
    assert "|metric|mean|ceiling|recall@2|0.7500|1.0000|mrr@1|0.2500|0.7500|" in text
    assert "the 2 worst by mrr@1, then by query id|query|recall@2|mrr@1|q2|1.0000|0.0000|" in text
    plain = evaluate(truth, run, metrics=["recall@2", "f1", "f1@2"])
    text = "|".join(Checker(str(plain._repr_html_())).texts)
    assert "|metric|@2|all|recall|0.7500|–|f1|" in text  # noqa: RUF001


def test_reprs_say_what_an_object_is() -> None:
    truth, run = {"q1": [["a", "b"], ["c"]]}, {"q1": ["a", "x", "y", "z"]}
    dataset, ranking = Dataset.model_validate(truth), Run.model_validate(run)
    assert repr(dataset) == "Dataset(queries=1, groups=2)"
    assert repr(ranking) == "Run(queries=1, results=4)"
    assert repr(dataset.queries[0]) == "Query(id='q1', ground_truth=[['a', 'b'], ['c']])"
    assert repr(ranking.queries[0]) == "RunQuery(id='q1', results=['a', 'x', 'y', … 1 more])"
    report = evaluate(truth, run, metrics=["recall", "ndcg@3", "mrr", "map"])
    assert repr(report) == (
        "Report(profile='autorag', queries=1, scored=1, "
        "scores={'recall': 0.5, 'ndcg@3': 0.4693, 'mrr': 0.5, … 1 more})"
    )
    assert repr(compare(truth, {"a": run, "b": run}, metrics="recall")) == (
        "Comparison(runs=['a', 'b'], metrics=['recall'], compared=1)"
    )
    assert repr(validate(truth)) == "ValidationReport(error=0, warning=0, info=0, codes=[])"
    assert repr(Corpus.model_validate(["a", "b"])) == "Corpus(documents=2)"
    long = RunQuery.model_validate({"id": "q" * 99, "results": ["a"]})
    assert repr(long) == f"RunQuery(id='{'q' * 40}…', results=['a'])"


def test_other_printers_are_short_as_well() -> None:
    from rich.pretty import pretty_repr  # noqa: PLC0415

    report = build_report("q", 500)
    assert len(pretty_repr(report, max_width=80).splitlines()) < 10
    fixture = Fixture.model_validate(
        {"queries": [{"id": f"q{n}", "ground_truth": [["a"]], "results": ["a"]} for n in range(99)]}
    )
    assert repr(fixture) == "Fixture(queries=99)"


def test_dir_lists_our_names_only() -> None:
    for name, build in SAMPLES.items():
        names = dir(build("q"))
        assert not [each for each in names if each.startswith(("_", "model_"))], name
        assert not {"copy", "dict", "json", "parse_obj", "schema", "facts", "kind"} & set(names)
    report = dir(build_report("q"))
    assert {"scores", "per_query", "to_markdown", "explain", "worst", "save", "passed"} <= {*report}
    dataset = dir(SAMPLES["Dataset"]("q"))
    assert {"queries", "from_pandas"} <= {*dataset}
    assert dir(groupwise) == groupwise.__all__
    constructors = {"model_json_schema", "model_validate", "model_validate_json"}
    of_class = {*dir(Dataset)}
    assert {"from_pandas", "load", *constructors} <= of_class
    assert not [each for each in of_class - constructors if each.startswith(("_", "model_"))]


ORDERS = """
import random, sys
from tests.reporting.test_notebook import build_in_some_order
sys.stdout.reconfigure(encoding="utf-8")
print(*build_in_some_order(random.Random(int(sys.argv[1]))), sep="\\n")
"""


def build_in_some_order(generator: random.Random) -> Iterator[str]:
    def shuffle(values: dict[str, Any]) -> dict[str, Any]:
        names = list(values)
        generator.shuffle(names)
        return {name: values[name] for name in names}

    truth, run = build_truth("q", 20), build_run("q", 20)
    other = build_run("q", 20, "q a")
    report = evaluate(shuffle(truth), shuffle(run), metrics=METRICS, by=["q"])
    runs = shuffle({"a": shuffle(run), "b": other, "c": run})
    yield str(report._repr_html_())
    yield str(compare(shuffle(truth), runs, metrics=METRICS[:1], permutations=50)._repr_html_())
    yield str(explain(shuffle(truth), shuffle(run), query=["q 1", "q 0"])._repr_html_())
