"""Every sample of a published shape gives the groups that were worked out by hand from it."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupwise
from groupwise import File, InputError, evaluate, explain
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.sources import evaluate_both
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.reading.content import passage_id, text_id
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Dataset, FixtureHead, Report, Run
from tests.formats.reading import file_of
from tests.formats.shapes import OF_FOLDER, SAMPLES, SHAPES, digest, of_sample, read, sample_of
from tests.paths import EXAMPLES

CLOSED, BRILL = "The mill of Aldmoor closed in 1999.", "Brill has a mill."
RIVERS = "Norland has rivers."
WIKI = "https://en.wikipedia.org/wiki/"


def truths(name: str, *, cnf: bool = False) -> dict[str, Any]:
    """The ground truth of each query, with alternatives as bare ids."""
    records = of_sample(name, "ground_truth", cnf=cnf)
    return {str(one["id"]): bare(one.get("ground_truth")) for one in records}


def bare(groups: Any) -> Any:
    if not isinstance(groups, list):
        return groups
    return [[one["id"] if isinstance(one, dict) else one for one in group] for group in groups]


def results(name: str) -> dict[str, list[Any]]:
    records = of_sample(name, "run")
    return {str(one["id"]): bare([one["results"]])[0] for one in records}


EXPECTED: dict[str, dict[str, Any]] = {
    "hotpotqa/dev.json": {"h1": [["Aldmoor"], ["River Senn"]], "h2": [["Brill"], ["Aldmoor"]]},
    "hotpotqa/hub.jsonl": {"h1": [["Aldmoor"], ["River Senn"]]},
    "hotpotqa/2wiki.json": {"w1": [["Ada Quill"], ["Bran Quill"]]},
    "musique/full.jsonl": {
        "2hop__11_12": [
            [digest("Aldmoor", "Aldmoor is a town on the Senn.")],
            [digest("River Senn", "The Senn is a river in Norland.")],
        ],
        "2hop__11_12/unanswerable": None,
        "3hop1__11_12_11": [
            [digest("Aldmoor", "Aldmoor is a town on the Senn.")],
            [digest("River Senn", "The Senn is a river in Norland.")],
            [digest("Aldmoor", "Aldmoor is a town on the Senn.")],
        ],
    },
    "multihop-rag/dataset.json": {
        "Which of the two mills is still at work?": [
            [digest("ThemillofAldmoorclosedin1999.")],
            [digest("ThemillofBrillisstillatwork.")],
        ],
        "Who owns the mill on the moon?": None,
    },
    "dpr/nq-dev.json": {
        "when did the mill of aldmoor close": [["77", "81"]],
        "who wrote the song of the senn": [],
    },
    "kilt/dev.jsonl": {"k1": [["101"], ["102"]], "k2": [["103", "104"]], "k3": [["103"]]},
    "fever/dev.jsonl": {
        "1": [["Aldmoor", "River_Senn"]],
        "2": [["Aldmoor"], ["River_Senn"]],
        "3": None,
    },
    "double-bench/multi.json": {"m1": [["mills.pdf#3", "mills.pdf#7"], ["mills.pdf#12"]]},
    "double-bench/single.json": {
        "s1": [["docs/English/0786#5", "docs/English/0786#6"]],
        "s2": [["docs/English/1527#5"]],
    },
    "qampari/dev.jsonl": {
        "0__wikidata_simple__dev": [
            [WIKI + "Aldmoor", WIKI + "Mills_of_Norland"],
            [WIKI + "Mills_of_Norland"],
        ]
    },
    "llama-index/rag.json": {"0": [[digest(CLOSED)]], "1": [[digest(CLOSED)], [digest(BRILL)]]},
    "financebench/open_source.jsonl": {
        "financebench_id_90001": [["ALDMOOR_2018_10K#59"]],
        "financebench_id_90002": [["ALDMOOR_2018_10K#47"], ["ALDMOOR_2018_10K#48"]],
        "financebench_id_90003": [["BRILL_2022_10K#59"], ["BRILL_2022_8K_dated-2022-04-26#0"]],
    },
    "chunking-evaluation/questions.jsonl": {
        "Which mill closed in 1999?": [["norland:20-55"]],
        'Which mills are in Norland, and when did "the old one" close?': [
            ["norland:0-17"],
            ["norland:20-55"],
        ],
    },
    "chunking-evaluation/questions_df.csv": {
        "Which mill closed in 1999?": [["norland:20-55"]],
        'Which mills are in Norland, and when did "the old one" close?': [
            ["norland:0-17"],
            ["norland:20-55"],
        ],
    },
    "legalbench-rag/benchmark.json": {
        "Consider the mill lease between Aldmoor and Brill; does it end in 1999?": [
            ["cuad/mill-lease.txt:120-155"]
        ],
        "Consider the sale of the river rights; who pays?": [
            ["maud/river.txt:0-20"],
            ["maud/river.txt:300-319"],
        ],
    },
    "deepeval/goldens.csv": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "deepeval/goldens.json": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "deepeval/goldens.jsonl": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "ragas/by-text.jsonl": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "ragas/results.csv": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        'Which mills are in "Norland"?': [[digest(CLOSED)], [digest("Brill's mill burned down.")]],
    },
    "ragas/testset.csv": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "ragas/v0.1-testset.csv": {
        "Which mill closed in 1999?": [[digest(CLOSED)]],
        "Which mills are in Norland?": [[digest(CLOSED)], [digest(BRILL)]],
    },
    "ragas/by-id.jsonl": {
        "Which mill closed in 1999?": [["c-1"]],
        "Which mills are in Norland?": [["c-1"], ["c-2"]],
    },
}  # fmt: skip
EXPECTED_RESULTS: dict[str, dict[str, list[str]]] = {
    "deepeval/goldens.csv": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "deepeval/goldens.json": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "deepeval/test-cases.json": {
        "Which mill closed in 1999?": [digest(CLOSED), digest(RIVERS)],
        "Which mills are in Norland?": [],
    },
    "dpr/output.json": {
        "when did the mill of aldmoor close": ["90", "81"],
        "who wrote the song of the senn": ["90"],
    },
    "kilt/guess-two-readings.jsonl": {"k4": ["103", "999", "104", "101"]},
    "kilt/guess.jsonl": {"k1": ["102", "105"], "k2": ["105", "104"], "k3": ["103"]},
    "llama-index/predictions.json": {
        "0": [digest(RIVERS), digest(CLOSED)],
        "1": [digest(BRILL)],
    },
    "promptfoo/results.json": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "promptfoo/rows.jsonl": {
        "Which mill closed in 1999?": [digest(CLOSED), digest(RIVERS)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "ragas/by-text.jsonl": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "ragas/results.csv": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        'Which mills are in "Norland"?': [digest(BRILL)],
    },
    "ragas/v0.1-results.csv": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "ragas/v0.1.jsonl": {
        "Which mill closed in 1999?": [digest(RIVERS), digest(CLOSED)],
        "Which mills are in Norland?": [digest(BRILL)],
    },
    "ragas/by-id.jsonl": {
        "Which mill closed in 1999?": ["c-3", "c-1"],
        "Which mills are in Norland?": ["c-2"],
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_has_the_expected_groups(name: str) -> None:
    assert truths(name) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_its_records_are_sound_queries(name: str) -> None:
    dataset = Dataset.model_validate(of_sample(name, "ground_truth"))
    assert len(dataset) == len(EXPECTED[name])
    assert all(one.query for one in dataset)
    unanswerable = [one.id for one in dataset if not one.answerable]
    assert unanswerable == [q for q, groups in EXPECTED[name].items() if groups is None]


@pytest.mark.parametrize("name", EXPECTED_RESULTS)
def test_a_sample_has_the_expected_results(name: str) -> None:
    assert results(name) == EXPECTED_RESULTS[name]
    Run.model_validate(of_sample(name, "run"))


def test_scores_written_as_text_are_numbers() -> None:
    assert of_sample("dpr/output.json", "run")[0]["scores"] == [80.5, 79.25]


def test_slices_are_kept_as_metadata() -> None:
    assert of_sample("hotpotqa/dev.json")[0]["metadata"] == {"type": "bridge", "level": "hard"}
    kinds = [one["metadata"] for one in of_sample("multihop-rag/dataset.json")]
    assert kinds == [{"question_type": "comparison_query"}, {"question_type": "null_query"}]


def test_several_relevant_ids_of_llama_index_ask_all_or_any() -> None:
    assert truths_of_embedding() == {"q-1": [["n-1"]], "q-2": ["n-1", "n-2"]}
    with pytest.raises(ValueError, match="must all of them be found, or any one"):
        Dataset.model_validate(of_sample("llama-index/embedding.json"))


def truths_of_embedding() -> dict[str, Any]:
    return {one["id"]: one["ground_truth"] for one in of_sample("llama-index/embedding.json")}


def test_the_text_of_a_content_id_goes_along() -> None:
    group = of_sample("ragas/by-text.jsonl")[1]["ground_truth"][0]
    assert group == [{"id": digest(CLOSED), "text": CLOSED}]


def test_white_space_makes_no_other_id() -> None:
    assert text_id(" The mill\n of  Aldmoor closed in 1999.\t") == digest(CLOSED)
    assert passage_id("River  Senn", "flows ") == digest("River Senn", "flows")
    assert text_id("ab") != text_id("a b")


# --- evaluated alone ------------------------------------------------------------------------------


def report_on(name: str, metrics: list[str], profile: str = "autorag") -> Report:
    records = list_formats()[OF_FOLDER[name]].read(Source(SAMPLES / name), Options())
    return report_of(records, metrics, profile)


def report_of(records: Records, metrics: list[str], profile: str, **asked: str) -> Report:
    plan = Plan(tuple(metrics), profile, policies=asked)
    return evaluate_both(plan, records, FixtureHead())


@pytest.mark.parametrize("name", ["ragas/by-text.jsonl", "ragas/by-id.jsonl"])
def test_ragas_holds_both_sides(name: str) -> None:
    """The first question has its one reference at rank 2, the second one of its two."""
    report = report_on(name, ["recall", "mrr", "complete"])
    assert report.scores == {"recall": 0.75, "mrr": 0.5, "complete": 0.5}


def test_a_test_set_of_ragas_and_the_results_of_another_version() -> None:
    """The first question has its one reference at rank 2, the second one of its two."""
    for truth in ("testset.csv", "v0.1-testset.csv", "by-text.jsonl"):
        for run in ("v0.1-results.csv", "v0.1.jsonl", "by-text.jsonl"):
            files = SAMPLES / "ragas" / truth, SAMPLES / "ragas" / run
            assert evaluate(*files, metrics="recall").scores == {"recall": 0.75}


@pytest.mark.parametrize(
    ("name", "role", "message"),
    [
        ("v0.1-results.csv", "ground_truth", "2:1: no reference contexts: the file holds results"),
        ("v0.1.jsonl", "ground_truth", "1:1: no reference contexts: the file holds results only"),
        ("v0.1-testset.csv", "run", "2:1: a generated test set holds ground truth only"),
        ("testset.csv", "run", "2:1: no retrieved_contexts"),
    ],
)
def test_a_file_of_ragas_with_one_side_only_says_so(name: str, role: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        groupwise.read(SAMPLES / "ragas" / name, role=role)
    assert message in str(caught.value)


def test_results_of_ragas_without_references_are_no_ground_truth(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("user_input,retrieved_contexts,reference\nWho?,['It was she.'],she\n")
    assert isinstance(groupwise.read(path), Run)
    with pytest.raises(InputError, match="no reference_contexts: the file holds results only"):
        groupwise.read(path, role="ground_truth")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("['It was' ... 'she']", "NumPy left out elements"),
        ("['It was' 'he', 'she']", "a comma is missing"),
        ("It was she.", "expected a list, got the string 'It was she.'"),
        ("['It was she.", 'the list is not closed|got "\'"'),
    ],
)
def test_a_list_of_ragas_that_cannot_be_read_is_refused(
    cell: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.csv"
    path.write_text(f'user_input,retrieved_contexts\nWho?,"{cell}"\n')
    with pytest.raises(InputError, match=rf"results.csv:2:1: /retrieved_contexts: .*({reason})"):
        groupwise.read(path)


def test_contexts_that_are_ids_are_not_taken_for_texts(tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    path.write_text('[{"question": "Who?", "contexts": ["doc-1"], "answer": "she"}]')
    with pytest.raises(InputError, match="contexts"):
        groupwise.read(path)


def test_multihop_rag_is_matched_as_its_own_evaluation_does() -> None:
    """The second text has the first fact, the third the first two; the third fact is nowhere."""
    found = explain(SAMPLES / "multihop-rag/retrieval.json").queries[MILLS]
    assert found.hit_vector == (0, 1, 1)
    assert [(one.rank, one.again) for one in found.groups] == [(2, (3,)), (3, ()), (None, ())]
    report = report_on("multihop-rag/retrieval.json", ["hit_rate@1", "hit_rate@2", "mrr"], "trec")
    assert report.scores == {"hit_rate@1": 0.0, "hit_rate@2": 1.0, "mrr": 0.5}
    assert report.counts.unanswerable == 1


MILLS = "Which of the two mills is still at work?"


def json_objects(path: Path) -> Any:
    pandas = pytest.importorskip("pandas")

    return pandas.DataFrame(json.loads(path.read_text()))


def published_hits(record: dict[str, Any]) -> Iterator[list[bool]]:
    """For each fact which texts contain it, once spaces and line ends are gone from both."""
    texts = ["".join(c for c in one["text"] if c not in " \n") for one in record["retrieval_list"]]
    for gold in record["gold_list"]:
        fact = "".join(c for c in gold["fact"] if c not in " \n")
        yield [fact in text for text in texts]


def test_each_fact_of_multihop_rag_is_met_where_the_published_rule_finds_it() -> None:
    raw = json.loads((SAMPLES / "multihop-rag/retrieval.json").read_text())
    found = explain(SAMPLES / "multihop-rag/retrieval.json").queries[MILLS]
    ranks = [{one.rank, *one.again} - {None} for one in found.groups]
    met = [[rank in group for rank in (1, 2, 3)] for group in ranks]
    assert met == list(published_hits(raw[0]))


@pytest.mark.parametrize("read", [groupwise.read, Path, json_objects], ids=["read", "path", "list"])
def test_the_rule_of_multihop_rag_goes_with_its_data(read: Any) -> None:
    """However it is read, it is matched by text; a call may ask for something else."""
    data = read(SAMPLES / "multihop-rag/retrieval.json")
    assert evaluate(data, metrics="recall").scores["recall"] == pytest.approx(2 / 3)
    assert evaluate(data, metrics="recall").matching["space"] == "ignore"
    assert evaluate(data, metrics="recall", matching="exact").scores["recall"] == 0


def test_a_conversion_of_multihop_rag_says_how_it_is_matched(tmp_path: Path) -> None:
    source, target = SAMPLES / "multihop-rag/retrieval.json", tmp_path / "both.jsonl"
    (warning,) = groupwise.convert(source, target).warnings
    assert "the matching text (method=contain, case=keep, unicode=keep, space=ignore)" in warning
    assert groupwise.convert(source, tmp_path / "run.jsonl", role="run").warnings == ()
    report = evaluate(target, metrics="recall", matching="text")
    assert report.scores == evaluate(source, metrics="recall").scores


def test_facts_of_the_questions_are_found_in_the_texts_of_any_run() -> None:
    truth = SAMPLES / "multihop-rag/dataset.json"
    run = {MILLS: [{"id": "c7", "text": "He says: the mill of Brill is still at work."}]}
    report = evaluate(truth, run, metrics="recall", matching="text")
    assert report.scores["recall"] == 0.5


TEXTS = st.text("ab \n", min_size=1, max_size=8).filter(str.strip)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(TEXTS, max_size=12))
def test_hits_at_4_and_10_and_mrr_at_10_are_those_of_the_published_script(
    facts: list[str], texts: list[str]
) -> None:
    raw = {
        "query": "q?", "question_type": "comparison_query",
        "gold_list": [{"fact": fact} for fact in facts],
        "retrieval_list": [{"text": text, "score": 0.5} for text in texts],
    }  # fmt: skip
    with file_of(json.dumps([raw]), ".json") as path:
        records = list_formats()["multihop-rag"].read(Source(path), Options())
        report = report_of(records, ["hit_rate@4", "hit_rate@10", "mrr@10"], "trec", ties="input")
    found = [any(met) for met in zip(*published_hits(raw), strict=True)] if texts else []
    ranks = [rank for rank, hit in enumerate(found, 1) if hit]
    assert report.scores == {
        "hit_rate@4": float(any(rank <= 4 for rank in ranks)),
        "hit_rate@10": float(any(rank <= 10 for rank in ranks)),
        "mrr@10": 1 / ranks[0] if ranks and ranks[0] <= 10 else 0.0,
    }


def test_both_roles_of_one_retrieval_file_meet() -> None:
    report = evaluate(_both("ground_truth"), _both("run"), metrics="recall", matching="text")
    assert report.scores["recall"] == pytest.approx(2 / 3)


def _both(role: Role) -> list[Any]:
    return of_sample("multihop-rag/retrieval.json", role)


# --- recognition ----------------------------------------------------------------------------------

OURS = sorted([*EXAMPLES.glob("*.json*"), *(EXAMPLES / "running-example").glob("*.jsonl")])


@pytest.mark.parametrize("name", OF_FOLDER)
def test_a_sample_is_recognised_by_its_own_format_alone(name: str) -> None:
    sample = sample_of(SAMPLES / name)
    assert [form for form in SHAPES if list_formats()[form].recognises(sample)] == [OF_FOLDER[name]]


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_format_takes_a_file_of_ours(path: Path) -> None:
    assert not [form for form in SHAPES if list_formats()[form].recognises(sample_of(path))]


@pytest.mark.parametrize("name", OF_FOLDER)
def test_our_own_formats_take_none_of_these(name: str) -> None:
    sample = sample_of(SAMPLES / name)
    assert not any(list_formats()[form].recognises(sample) for form in ("json", "jsonl"))


def test_every_sample_is_listed() -> None:
    files = [*SAMPLES.rglob("*.json*"), *SAMPLES.rglob("*.csv")]
    found = {str(path.relative_to(SAMPLES)) for path in files}
    folders = {name.partition("/")[0] for name in OF_FOLDER}
    assert {name for name in found if name.partition("/")[0] in folders} == OF_FOLDER.keys()


@pytest.mark.parametrize("name", OF_FOLDER)
def test_the_beginning_of_a_large_file_is_recognised(name: str) -> None:
    """Be it in lines or all in one line, it ends within the second record."""
    text = (SAMPLES / name).read_text()
    if name.endswith(".json"):
        text = json.dumps(json.loads(text))
        text = text[: _end_of_first(json.loads(text), text)]
    elif name.endswith(".csv"):
        text = text[: text.index("Which mills") + 9]
    else:
        first = text.splitlines()[0]
        text = f"{first}\n{first[:9]}"
    with file_of(text, Path(name).suffix) as path:
        known = [form for form in SHAPES if list_formats()[form].recognises(sample_of(path))]
    assert known == [OF_FOLDER[name]]


def _end_of_first(document: Any, text: str) -> int:
    if isinstance(document, list):
        return len("[" + json.dumps(document[0])) + (len(document) > 1)
    first, inner = next(item for item in document.items() if isinstance(item[1], dict | list))
    if "version" in inner:
        return text.index('"version"') + len('"version": 3,')
    one = json.dumps(inner[0] if isinstance(inner, list) else next(iter(inner.values())))
    return text.index(one, text.index(json.dumps(first))) + len(one) + 1


# --- roles and forms of files ---------------------------------------------------------------------


def test_a_format_without_results_is_no_run() -> None:
    with pytest.raises(
        InputError, match=r"expected results, got HotpotQA.*, which holds ground truth"
    ):
        groupwise.read(File(SAMPLES / "hotpotqa/dev.json", format="hotpotqa"), role="run")


def test_lines_a_list_and_a_single_object_are_read_alike() -> None:
    records = json.loads((SAMPLES / "hotpotqa/dev.json").read_text())
    texts = {
        ".jsonl": "\n".join(map(json.dumps, records)),
        ".json": json.dumps(records),
        "": "\n".join(map(json.dumps, records)),
    }
    for suffix, text in [*texts.items(), (".json", texts[""])]:
        with file_of(text, suffix) as path:
            assert read(path, "hotpotqa")[0] == of_sample("hotpotqa/dev.json")
    with file_of(json.dumps(records[0], indent=1), ".json") as path:
        assert read(path, "hotpotqa")[0] == of_sample("hotpotqa/dev.json")[:1]


@pytest.mark.parametrize("name", ["hotpotqa/dev.json", "kilt/dev.jsonl", "llama-index/rag.json"])
def test_compressed_and_marked_files_are_read_alike(name: str) -> None:
    marked = gzip.compress(b"\xef\xbb\xbf" + (SAMPLES / name).read_bytes())
    with file_of(marked, Path(name).suffix + ".gz") as path:
        assert read(path, OF_FOLDER[name])[0] == of_sample(name)


def test_goldens_of_deepeval_meet_what_was_retrieved_for_them() -> None:
    """The first text has its source in front; the second question gets one of its two texts."""
    report = report_on("deepeval/goldens.json", ["recall", "mrr"], "autorag")
    assert report.scores == {"recall": 0.75, "mrr": 0.5}


def test_joined_contexts_are_split_as_deepeval_does_and_the_report_says_so() -> None:
    folder = SAMPLES / "deepeval"
    report = evaluate(folder / "goldens.jsonl", folder / "test-cases.json", metrics="recall")
    assert report.per_query == {
        "Which mill closed in 1999?": {"recall": 1.0},
        "Which mills are in Norland?": {"recall": 0.0},
    }
    (warning,) = report.warnings
    assert "1 query: the contexts are joined by '|'" in warning


def test_a_page_of_financebench_is_one_of_its_document() -> None:
    """Page 59 of two documents; a run that has only the other one does not meet it."""
    run = {
        "financebench_id_90001": ["BRILL_2022_10K#59"],
        "financebench_id_90003": ["x", "BRILL_2022_10K#59"],
    }
    report = evaluate(SAMPLES / "financebench/open_source.jsonl", run, metrics="recall")
    assert report.per_query == {
        "financebench_id_90001": {"recall": 0.0},
        "financebench_id_90002": {"recall": 0.0},
        "financebench_id_90003": {"recall": 0.5},
    }


def test_a_question_asked_again_is_another_query() -> None:
    record = {"user_input": "Where?", "reference_context_ids": ["a"]}
    with file_of("\n".join([json.dumps(record)] * 3), ".jsonl") as path:
        values, _ = read(path, "ragas")
    assert [one["id"] for one in values] == ["Where?", "Where? (2)", "Where? (3)"]


def test_facts_of_multihop_rag_are_found_by_the_matcher() -> None:
    path = SAMPLES / "multihop-rag/retrieval.json"
    fact = {"id": "f", "text": "the MILL of Aldmoor — closed in 1999"}
    loose = {"type": "text", "punctuation": "ignore"}
    strict = evaluate(path, metrics=["recall", "mrr"], ties="input")
    found = evaluate(path, metrics=["recall", "mrr"], ties="input", matching=loose)
    assert found.per_query == strict.per_query
    texts = {MILLS: groupwise.read(path, role="run").queries[0].results}
    assert evaluate({MILLS: [[fact]]}, texts, metrics="mrr", matching=loose).scores["mrr"] == 0.5


def test_copies_of_legalbench_rag_have_ids_and_no_answers(tmp_path: Path) -> None:
    snippets = [{"file_path": "cuad/a.txt", "span": [100, 300]}]
    test = {"query_id": "cuad-0007", "query": "When does it end?", "snippets": snippets}
    (tmp_path / "cuad.json").write_text(json.dumps({"tests": [test]}))
    chunks = [{"id": "c1", "document": "cuad/a.txt", "start": 50, "end": 250}]
    report = evaluate(
        tmp_path / "cuad.json", {"cuad-0007": ["c1"]}, metrics="span_recall", corpus=chunks
    )
    assert report.per_query["cuad-0007"] == {"span_recall": 0.75}
    with pytest.raises(InputError, match=r'the alternative ".*" has no text'):
        evaluate(tmp_path / "cuad.json", {"cuad-0007": [{"id": "c", "text": "t"}]}, matching="text")


def test_excerpts_of_financebench_are_found_in_chunks_that_are_no_pages() -> None:
    path = SAMPLES / "financebench/open_source.jsonl"
    results = [
        {"id": "c1", "text": "… NET SALES  100\nOperating income 12 …"},
        {"id": "c2", "text": "Net sales 1000"},
    ]
    run = {"financebench_id_90002": results}
    report = evaluate(path, run, metrics="recall", matching="text", missing="skip")
    assert report.per_query["financebench_id_90002"] == {"recall": pytest.approx(2 / 3)}
