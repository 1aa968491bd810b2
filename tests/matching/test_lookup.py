"""Ids looked up in a corpus: the same scores as with texts and spans in the run itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import (
    Evaluator,
    InputError,
    OptionError,
    QueryMatcher,
    add_matcher,
    check_fixture,
    compare,
    evaluate,
    explain,
)
from groupwise.evaluator.cli import run

TEXT = "".join(chr(97 + (at * at + at // 7) % 26) if at % 5 else " " for at in range(400))


def cut(size: int, overlap: int = 0, name: str = "c") -> list[dict[str, Any]]:
    """Return the chunks of a document of 400 characters."""
    starts = range(0, 400 - overlap, size - overlap)
    ends = [min(400, start + size) for start in starts]
    return [
        {
            "id": f"{name}{number}",
            "text": TEXT[start:end],
            "document": "d",
            "start": start,
            "end": end,
        }
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


CHUNKS = cut(50)
BY_ID = {chunk["id"]: chunk for chunk in CHUNKS}
TRUTH = {
    "q1": [[{"id": "g1", "text": TEXT[55:90], "document": "d", "start": 55, "end": 90}], ["c6"]],
    "q2": [["c0", "c1"]],
}
RUN = {"q1": ["c3", "c1", "c6"], "q2": ["c7", "c1"]}
METRICS = ["recall@1", "recall@2", "mrr", "ndcg", "span_recall", "span_precision@2"]


def inline(results: Any, chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return results, or ground truth, with their chunks in place of ids."""
    known = {chunk["id"]: chunk for chunk in chunks}

    def put(value: Any) -> Any:
        if isinstance(value, list):
            return [put(each) for each in value]
        return known.get(value, value) if isinstance(value, str) else value

    return {query: put(found) for query, found in results.items()}


def write(path: Path, records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def scores(report: Any) -> Any:
    return report.to_dict()["scores"], report.to_dict()["per_query"]


@pytest.mark.parametrize("matching", ["span", "text", {"type": "span", "together": True}])
def test_scores_are_those_of_a_run_that_has_its_chunks(matching: Any) -> None:
    found = evaluate(TRUTH, RUN, metrics=METRICS, matching=matching, corpus=CHUNKS)
    expected = evaluate(
        inline(TRUTH, CHUNKS), inline(RUN, CHUNKS), metrics=METRICS, matching=matching
    )
    assert scores(found) == scores(expected)
    assert found.scores["recall@2"] == 0.75
    assert found.matching["counts"]["results looked up"] == 5


def write_jsonl(folder: Path) -> Path:
    return write(folder / "chunks.jsonl", CHUNKS)


def write_json(folder: Path) -> Path:
    (folder / "chunks.json").write_text(json.dumps(BY_ID))
    return folder / "chunks.json"


def write_autorag(folder: Path) -> Path:
    records = [
        {
            "doc_id": chunk["id"],
            "contents": chunk["text"],
            "path": "d",
            "start_end_idx": [chunk["start"], chunk["end"]],
        }
        for chunk in CHUNKS
    ]
    return write(folder / "autorag.jsonl", records)


def write_table(folder: Path, sign: str = ",", name: str = "chunks.csv") -> Path:
    rows = [
        ["id", "document", "start", "end", "text"],
        *([str(c[f]) for f in ("id", "document", "start", "end", "text")] for c in CHUNKS),
    ]
    (folder / name).write_text("".join(sign.join(row) + "\n" for row in rows))
    return folder / name


def write_tabs(folder: Path) -> Path:
    return write_table(folder, "\t", "chunks.tsv")


def write_nameless(folder: Path) -> Path:
    return write_table(folder, ",", "chunks")


def write_parquet(folder: Path) -> Path:
    table = pytest.importorskip("pyarrow").Table.from_pylist(CHUNKS)
    pytest.importorskip("pyarrow.parquet").write_table(table, folder / "chunks.parquet")
    return folder / "chunks.parquet"


@pytest.mark.parametrize(
    "form",
    [
        write_jsonl,
        write_json,
        write_autorag,
        write_table,
        write_tabs,
        write_nameless,
        write_parquet,
    ],
)
@pytest.mark.parametrize("matching", ["span", "text"])
def test_corpora_of_all_forms_are_looked_up(form: Any, matching: str, tmp_path: Path) -> None:
    expected = evaluate(TRUTH, RUN, metrics=METRICS, matching=matching, corpus=CHUNKS)
    found = evaluate(TRUTH, RUN, metrics=METRICS, matching=matching, corpus=form(tmp_path))
    assert scores(found) == scores(expected)


def test_texts_by_id_are_a_corpus_for_texts() -> None:
    texts = {chunk["id"]: chunk["text"] for chunk in CHUNKS}
    found = evaluate(TRUTH, RUN, metrics="recall", matching="text", corpus=texts)
    assert found.scores["recall"] == 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_run_scores_as_if_it_had_its_chunks(data: Any) -> None:
    size = data.draw(st.integers(20, 120))
    chunks = cut(size, data.draw(st.integers(0, size // 2)))
    ids = st.sampled_from([chunk["id"] for chunk in chunks])
    starts = st.integers(0, 380)
    spans = st.builds(
        lambda at, length: {"id": f"s{at}", "document": "d", "start": at, "end": at + length},
        starts,
        st.integers(1, 20),
    )
    groups = st.lists(st.lists(spans | ids, min_size=1, max_size=3), min_size=1, max_size=3)
    truth = {"q1": data.draw(groups), "q2": data.draw(groups)}
    run = {query: data.draw(st.lists(ids, max_size=6, unique=True)) for query in truth}
    matching = {
        "type": "span",
        "threshold": data.draw(st.sampled_from([0.1, 0.5, 1.0])),
        "together": data.draw(st.booleans()),
    }
    asked: dict[str, Any] = {"metrics": METRICS, "matching": matching}
    found = evaluate(truth, run, corpus=chunks, **asked)
    assert scores(found) == scores(evaluate(inline(truth, chunks), inline(run, chunks), **asked))


def test_what_a_result_has_itself_stays() -> None:
    run = {"q2": [{"id": "c0", "document": "d", "start": 300, "end": 350}]}
    truth = {"q2": [["c0"]]}
    assert evaluate(truth, run, metrics="recall", matching="span", corpus=CHUNKS).scores == {
        "recall": 0.0
    }


def test_results_that_are_not_in_the_corpus_meet_nothing_and_are_counted() -> None:
    found = {"q1": ["gone", "c1"], "q2": ["c0", "old", "gone"]}
    report = evaluate(
        TRUTH, found, metrics=["recall@1", "span_recall"], matching="span", corpus=CHUNKS
    )
    assert report.scores["recall@1"] == 0.5
    assert report.matching["counts"] == {"results looked up": 5, "results not in the corpus": 3}
    assert "results not in the corpus: 3, such as \"gone\" (query 'q1')" in report.warnings
    assert report.per_query["q1"]["span_recall"] is None


def test_a_corpus_of_other_ids_is_refused() -> None:
    truth = {"q1": [[{"id": "g", "text": "abc"}]]}
    with pytest.raises(InputError, match="two id spaces") as error:
        evaluate(truth, {"q1": ["x1"]}, matching="text", corpus={"c1": "abc"})
    assert '"c1"' in str(error.value)
    assert '"x1"' in str(error.value)


@pytest.mark.parametrize("metrics", ["recall", "span_recall"])
def test_an_alternative_that_is_not_in_the_corpus_is_an_error(metrics: str) -> None:
    with pytest.raises(
        InputError, match=r"\"old\" has no span, and is not in the corpus.*remap"
    ) as error:
        evaluate(
            {"q1": [["c1", "old"]]}, {"q1": ["c1"]}, metrics=metrics, matching="span", corpus=CHUNKS
        )
    assert error.value.problems[0].query == "q1"


def test_a_chunk_without_a_span_is_an_error_that_names_it() -> None:
    corpus = [*CHUNKS, {"id": "bare", "text": "no span"}]
    with pytest.raises(InputError, match='the result "bare" has no span'):
        evaluate({"q1": [["c1"]]}, {"q1": ["bare"]}, matching="span", corpus=corpus)


def test_one_id_with_two_contents_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", [*CHUNKS, CHUNKS[1], {**CHUNKS[2], "end": 1}])
    with pytest.raises(InputError, match='the id "c2" has several contents') as error:
        evaluate(TRUTH, RUN, matching="span", corpus=path)
    assert error.value.problems[0].line == 10
    assert error.value.count == 1


def test_ids_of_another_kind_are_an_error_unless_compared_as_text() -> None:
    truth = {"q1": [[{"id": 9, "text": "abc"}]]}
    corpus = [{"id": "1", "text": "say abc"}]
    with pytest.raises(InputError, match="use one kind"):
        evaluate(truth, {"q1": [1]}, matching="text", corpus=corpus)
    report = evaluate(truth, {"q1": [1]}, matching="text", corpus=corpus, ids="text")
    assert report.scores["recall"] == 1


def test_ids_of_a_table_may_be_numbers(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,text\n1,say abc\n2,nothing\n")
    truth = {"q1": [[1]], "q2": [[{"id": 9, "text": "abc"}]]}
    run = {"q1": [1, 2], "q2": [2, 1]}
    report = evaluate(truth, run, metrics="mrr", matching="text", corpus=tmp_path / "c.csv")
    assert [report.per_query[query]["mrr"] for query in run] == [1, 0.5]


@pytest.mark.parametrize("matching", ["exact", "normalised"])
def test_a_corpus_that_nothing_looks_at_is_refused(matching: str) -> None:
    with pytest.raises(OptionError, match="compares ids alone"):
        evaluate(TRUTH, RUN, metrics="recall", matching=matching, corpus=CHUNKS)


def test_metrics_of_spans_look_ids_up_whatever_the_matcher() -> None:
    asked = ["recall", "span_recall"]
    report = evaluate(TRUTH, RUN, metrics=asked, corpus=CHUNKS)
    inlined = evaluate(
        inline(TRUTH, CHUNKS), inline(RUN, CHUNKS), metrics=["recall", "span_recall"]
    )
    assert scores(report) == scores(inlined)


def test_chunkings_are_compared_each_with_its_corpus() -> None:
    truth = {"q1": [[{"id": "g", "document": "d", "start": 110, "end": 190}]]}
    corpora = {"small": cut(50), "large": cut(200)}
    runs = {"small": {"q1": ["c0", "c2", "c3"]}, "large": {"q1": ["c0"]}}
    found = compare(truth, runs, metrics="span_recall@1", matching="span", corpus=corpora)
    means = {name: scores["span_recall@1"].mean for name, scores in found.runs.items()}
    assert means == {"small": 0.0, "large": 1.0}


def test_a_run_may_have_a_corpus_of_its_own() -> None:
    truth = {"q1": [[{"id": "g", "document": "d", "start": 110, "end": 190}]]}
    evaluator = Evaluator(truth, metrics="recall", matching="span", corpus=cut(50))
    assert evaluator.evaluate({"q1": ["c0"]}).scores["recall"] == 0
    assert evaluator.evaluate({"q1": ["c0"]}, corpus=cut(200)).scores["recall"] == 1


def test_what_was_looked_up_counts_in_fingerprints_as_if_it_were_given() -> None:
    def prints(truth: Any, run: Any, **options: Any) -> list[str | None]:
        found = evaluate(truth, run, matching="span", provenance=True, **options).provenance
        assert found is not None
        return [found.fingerprint("ground_truth"), found.fingerprint("run")]

    spans = [{name: value for name, value in c.items() if name != "text"} for c in CHUNKS]
    given = prints(inline(TRUTH, spans), inline(RUN, spans))
    assert prints(TRUTH, RUN, corpus=CHUNKS) == given
    moved = [{**chunk, "end": chunk["end"] - 1} for chunk in CHUNKS]
    truth, run = prints(TRUTH, RUN, corpus=moved)
    assert truth != given[0]
    assert run != given[1]


def test_a_baseline_outlives_new_chunks_if_the_ground_truth_has_spans(tmp_path: Path) -> None:
    truth = {"q1": [[{"id": "g", "document": "d", "start": 110, "end": 190}]]}
    asked: dict[str, Any] = {"metrics": "recall", "matching": "span"}
    saved = tmp_path / "baseline.json"
    evaluate(truth, {"q1": ["c0"]}, corpus=cut(200), save_baseline=saved, **asked)
    gate = "recall >= baseline"
    report = evaluate(truth, {"q1": ["c1"]}, corpus=cut(50), baseline=saved, gates=[gate], **asked)
    assert not report.passed
    evaluate({"q1": [["c1"]]}, {"q1": ["c1"]}, corpus=cut(200), save_baseline=saved, **asked)
    with pytest.raises(InputError, match="the ground truth is not that of the baseline"):
        evaluate(
            {"q1": [["c1"]]}, {"q1": ["c1"]}, corpus=cut(50), baseline=saved, gates=[gate], **asked
        )


def test_a_retriever_may_return_ids() -> None:
    queries = [{"id": "q2", "query": "what?", "ground_truth": [["c0", "c1"]]}]
    report = evaluate(
        queries, retriever=lambda _text: ["c3", "c1"], metrics="mrr", matching="span", corpus=CHUNKS
    )
    assert report.scores["mrr"] == 0.5


def test_explanations_are_those_of_a_run_that_has_its_chunks() -> None:
    found = explain(TRUTH, RUN, k=1, matching="span", corpus=CHUNKS)
    expected = explain(inline(TRUTH, CHUNKS), inline(RUN, CHUNKS), k=1, matching="span")
    assert found.to_dict()["queries"] == expected.to_dict()["queries"]
    assert found.to_dict()["reasons"] == expected.to_dict()["reasons"]


def test_a_report_explains_with_the_corpus_that_it_was_made_with() -> None:
    report = evaluate(TRUTH, RUN, metrics="recall@1", matching="span", corpus=CHUNKS)
    assert report.explain("q1").queries["q1"].groups[0].rank == 2


class EitherMatcher(QueryMatcher):
    """Meets an alternative with the same beginning of text, or the same start."""

    needs_references = True

    def match(self, groups: Any, results: Any) -> Any:
        for rank, result in enumerate(results, 1):
            for number, group in enumerate(groups):
                for place, alternative in enumerate(group):
                    if (result.text or "")[:9] == alternative.text[:9]:
                        assert result.start == alternative.start
                        yield rank, number, place


def test_matchers_of_users_get_texts_and_spans() -> None:
    add_matcher("either", EitherMatcher)
    truth, run = {"q1": [["c2"]]}, {"q1": ["gone", "c2"]}
    report = evaluate(truth, run, metrics="mrr", matching="either", corpus=CHUNKS)
    assert report.scores["mrr"] == 0.5
    assert report.matching["counts"]["results not in the corpus"] == 1


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path)
    Path("truth.json").write_text(json.dumps(TRUTH))
    Path("run.json").write_text(json.dumps(RUN))
    return tmp_path


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("files")
def test_the_command_line_looks_ids_up(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = ["--match", "span", "--corpus", "chunks.jsonl"]
    report = run_json(capsys, "evaluate", "truth.json", "run.json", "-m", "recall@2", *corpus)
    assert report["scores"] == {"recall@2": 0.75}
    assert report["provenance"]["inputs"][-1]["name"] == "chunks.jsonl"
    found = run_json(capsys, "explain", "truth.json", "run.json", "-k", "2", *corpus)
    assert found["reasons"]["met"] == 2
    both = ["a=run.json", "b=run.json", "-m", "recall@2"]
    compared = run_json(capsys, "compare", "truth.json", *both, *corpus)
    assert compared["runs"]["a"]["recall@2"]["mean"] == 0.75
    own = ["--corpus", "a=chunks.jsonl", "--corpus", "b=chunks.jsonl", "--match", "span"]
    assert run_json(capsys, "compare", "truth.json", *both, *own)["runs"] == compared["runs"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "corpora", [["x", "y"], ["a=x", "a=y"], ["x", "a=y"]], ids=["common", "twice", "both"]
)
def test_corpora_that_exclude_each_other_are_a_usage_error(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [part for corpus in corpora for part in ("--corpus", corpus)]
    assert run(["compare", "truth.json", "a=run.json", "b=run.json", *words]) == 2
    assert "--corpus: expected one file for all runs, or RUN=FILE" in capsys.readouterr().err


def test_fixtures_are_checked_with_a_corpus(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixture = {
        "matching": {"type": "span"},
        "queries": [
            {"id": query, "ground_truth": groups, "results": RUN[query]}
            for query, groups in TRUTH.items()
        ],
        "expected": {"recall@2": 0.75},
    }
    path = files / "fixture.json"
    path.write_text(json.dumps(fixture))
    assert check_fixture(path, corpus="chunks.jsonl").ok
    assert run(["check", str(path), "--corpus", "chunks.jsonl"]) == 0
    assert run(["check", str(path)]) == 3
    assert "has no span" in capsys.readouterr().err
    by_id = {**fixture, "matching": {"type": "exact"}, "expected": {"recall@2": 0.5}}
    (files / "byid.json").write_text(json.dumps(by_id))
    assert run(["check", str(files), "--corpus", "chunks.jsonl"]) == 0
    path.write_text(json.dumps({**fixture, "expected": {"recall@2": 0.1}}))
    assert check_fixture(path, corpus="chunks.jsonl", update=True).ok is False
    assert json.loads(path.read_text())["expected"] == {"recall@2": 0.75}


def reasons(truth: Any, matching: Any, corpus: Any, results: Any = ("c7",)) -> list[str | None]:
    found = explain({"q": truth}, {"q": [*results]}, matching=matching, corpus=corpus)
    return [group.reason for group in found.queries["q"].groups]


def test_groups_that_no_chunk_covers_are_not_in_the_corpus() -> None:
    def span(start: int, end: int, document: str = "d") -> list[Any]:
        return [{"id": f"{document}{start}", "document": document, "start": start, "end": end}]

    truth = [span(60, 90), span(40, 60), span(30, 75), span(0, 30, "other"), span(360, 390)]
    gaps = [chunk for chunk in CHUNKS if chunk["id"] != "c1"]
    missed = ["not_in_corpus", "not_retrieved", "not_in_corpus", "not_in_corpus", None]
    assert reasons(truth, "span", gaps) == missed
    whole = ["not_retrieved", "not_retrieved", "not_retrieved", "not_in_corpus", None]
    assert reasons(truth, {"type": "span", "threshold": 1, "together": True}, CHUNKS) == whole


def test_groups_that_no_chunk_says_are_not_in_the_corpus() -> None:
    said = "The mill of Aldmoor, which stood for two hundred years, closed in the spring of 1999."
    other = "Bread is baked in the early morning by seven people who never speak to each other."
    near = "The MILL of Aldmoor, which stood for two hundred years, was closed in spring 1999."
    corpus = {"c1": f"He wrote: {said}", "c2": "Brill has a mill.", "c7": "Nothing."}
    truth = [
        [{"id": f"g{at}", "text": text}]
        for at, text in enumerate([said, other, near, "a mill", "a millet", "Nothing"])
    ]
    found = reasons(truth, "text", corpus)
    assert found == [
        "not_retrieved", "not_in_corpus", "not_retrieved", "not_retrieved", "not_in_corpus", None
    ]  # fmt: skip
    strict = reasons(truth, {"type": "text", "method": "contain", "whole_words": False}, corpus)
    assert strict[2] == "not_in_corpus"


def test_matchers_of_users_are_not_asked_about_the_whole_corpus() -> None:
    add_matcher("either", EitherMatcher)
    assert reasons([["c2"]], "either", CHUNKS) == ["not_retrieved"]


def test_budgets_of_tokens_take_the_texts_of_a_corpus() -> None:
    names = ["recall@12t", "recall@13t", "recall@25t", "recall@26t"]
    truth, run = {"q": [["c1"], ["c6"]]}, {"q": ["c1", "c6"]}
    report = evaluate(truth, run, metrics=names, characters_per_token=4, corpus=CHUNKS)
    assert [*report.scores.values()] == [0.0, 0.5, 0.5, 1.0]
    with pytest.raises(InputError, match="a budget of tokens needs the tokens of every result"):
        evaluate(truth, {"q": ["c1", "gone"]}, metrics=names, characters_per_token=4, corpus=CHUNKS)
