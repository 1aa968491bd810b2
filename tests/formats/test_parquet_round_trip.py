"""What is written as parquet comes back: all of it in our own columns, as text in AutoRAG's."""

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from groupwise import Dataset, InputError, Run
from groupwise import read as read_whole
from groupwise.evaluator.formats import parquet_writer as parquet_writing
from groupwise.evaluator.formats.autorag_writer import write_autorag
from groupwise.evaluator.formats.mapping import judgements
from groupwise.evaluator.formats.parquet import parquet_records
from groupwise.evaluator.formats.parquet_writer import write_parquet
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from tests.strategies import FEWER

WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(str.strip)
NUMBERS = st.integers(-(2**63) + 1, 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLACES = st.integers(0, 2**40)


def in_full(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    alternative = st.fixed_dictionaries(
        {"id": ids},
        optional={
            "grade": st.sampled_from([0.5, 1.0, 2.0, 3]),
            "text": WORDS,
            "document": WORDS,
            "start": PLACES,
            "end": PLACES,
        },
    )
    alternatives = st.lists(ids | alternative, min_size=1, max_size=3)
    optional = {"weight": st.sampled_from([0.5, 2.0]), "label": WORDS}
    return alternatives | st.fixed_dictionaries({"alternatives": alternatives}, optional=optional)


def queries(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    plain = st.lists(st.lists(ids, min_size=1, max_size=3), max_size=3)
    record = st.fixed_dictionaries(
        {"id": WORDS, "ground_truth": plain | st.lists(in_full(ids), max_size=3)},
        optional={
            "query": WORDS,
            "not_relevant": st.lists(ids, max_size=2),
            "metadata": st.dictionaries(WORDS, WORDS | NUMBERS | st.none(), max_size=2),
            "generation_gt": st.lists(WORDS, max_size=2),
            "hashes": st.dictionaries(WORDS, WORDS, max_size=2),
            "corpus": WORDS,
        },
    )
    return st.lists(record, min_size=1, max_size=4)


@st.composite
def rankings(draw: st.DrawFn, ids: st.SearchStrategy[Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": draw(WORDS), "results": draw(st.lists(ids, max_size=4))}
    if draw(st.booleans()):
        record["scores"] = [draw(FLOATS) for _ in record["results"]]
    return record


def results_in_full(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Results of which all have a score, or none."""
    return _results({"id": ids}) | _results({"id": ids, "score": FLOATS})


def _results(fields: dict[str, Any]) -> st.SearchStrategy[Any]:
    more = {"text": WORDS, "tokens": PLACES, "vector": st.lists(FLOATS, max_size=2)}
    result = st.fixed_dictionaries(fields, optional=more)
    return st.fixed_dictionaries({"id": WORDS, "results": st.lists(result, max_size=3)})


def runs(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(rankings(ids) | results_in_full(ids), min_size=1, max_size=4)


def back(path: Path, role: Role, *, texts: bool = False) -> list[Any]:
    options = Options(role=role, texts=texts)
    batches = parquet_records(Source(path), options).batches(Reading())
    return [value for batch in batches for value in batch.values]


def dumped(model: Dataset | Run) -> Any:
    """As plain data; no answer and none that is given are the same."""
    return [
        {name: value for name, value in one.model_dump().items() if value not in (None, [], ())}
        for one in model
    ]


@FEWER
@given(queries(WORDS) | queries(NUMBERS))
def test_a_data_set_in_our_own_columns_comes_back_whole(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        write_parquet(records, str(path))
        found = Dataset.model_validate(back(path, "ground_truth"))
    assert dumped(found) == dumped(Dataset.model_validate(records))


@FEWER
@given(runs(WORDS) | runs(NUMBERS))
def test_a_run_in_our_own_columns_comes_back_whole(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        write_parquet(records, str(path))
        found = Run.model_validate(back(path, "run"))
    expected = Run.model_validate(records)
    assert [(one.id, one.ids(), one.given_scores()) for one in found] == [
        (one.id, one.ids(), one.given_scores()) for one in expected
    ]
    assert dumped(found) == dumped(as_all_in_full(expected, records))


def as_all_in_full(run: Run, records: list[Any]) -> Run:
    """A column holds results of one kind: in full, where one of them is."""
    if not any(isinstance(one, dict) for record in records for one in record["results"]):
        return run
    full = [
        {**record, "results": [r if isinstance(r, dict) else {"id": r} for r in record["results"]]}
        for record in records
    ]
    return Run.model_validate(full)


@FEWER
@given(st.lists(st.tuples(WORDS, st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=3))))
def test_groups_in_autorags_columns_come_back(cases: list[Any]) -> None:
    records = [{"id": one, "ground_truth": groups, "query": "?"} for one, groups in cases]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "qa.parquet"
        write_autorag(records or [{"id": "q", "ground_truth": []}], str(path))
        found = back(path, "ground_truth")
    assert [(one["qid"], one["retrieval_gt"]) for one in found if records] == cases


def test_autorags_columns_are_those_it_has(tmp_path: Path) -> None:
    path = tmp_path / "qa.parquet"
    group = {"alternatives": [{"id": 1, "text": "one"}, {"id": 2, "grade": 0}], "weight": 2.0}
    write_autorag([{"id": "q", "query": "?", "ground_truth": [group, [3]]}], str(path))
    texts = pa.list_(pa.string())
    table = parquet.read_table(path)
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == {
        "qid": pa.string(),
        "query": pa.string(),
        "retrieval_gt": pa.list_(texts),
        "retrieval_gt_contents": pa.list_(texts),
        "generation_gt": texts,
    }
    assert table.column("retrieval_gt").to_pylist() == [[["1"], ["3"]]]
    assert table.column("retrieval_gt_contents").to_pylist() == [[["one"], [None]]]


def test_autorags_results_have_their_texts_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "0.parquet"
    results = [{"id": "a", "score": 0.5, "text": "one"}, {"id": "b", "score": 0.25, "text": "two"}]
    write_autorag([{"id": "q", "results": results}], str(path))
    assert parquet.read_table(path).to_pylist() == [
        {
            "qid": "q",
            "retrieved_contents": ["one", "two"],
            "retrieved_ids": ["a", "b"],
            "retrieve_scores": [0.5, 0.25],
        }
    ]
    assert back(path, "run")[0]["retrieved_ids"] == ["a", "b"]
    (found,) = back(path, "run", texts=True)
    assert found["results"] == [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}]
    assert Run.model_validate([found]).queries[0].given_scores() == [0.5, 0.25]


def test_an_autorag_corpus_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "corpus.parquet"
    documents: list[dict[str, Any]] = [
        {"id": "a", "text": "one", "document": "book", "start": 0, "end": 3},
        {"id": "b", "text": "two"},
    ]
    write_autorag(documents, str(path))
    assert back(path, "corpus", texts=True) == documents


@pytest.mark.parametrize("write", [write_parquet, write_autorag])
def test_the_same_records_give_the_same_bytes(write: Any, tmp_path: Path) -> None:
    records = [{"id": "q", "ground_truth": [["a"]], "results": ["a"]}]
    for name in ("1.parquet", "2.parquet"):
        write(records, str(tmp_path / name))
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()


LATE: list[dict[str, Any]] = [
    {"id": "q1", "ground_truth": [["a"]], "results": ["a"]},
    {"id": "q2", "ground_truth": [], "results": []},
    {"id": "q3", "ground_truth": [["a", "b"]], "results": ["b"]},
    {
        "id": "q4",
        "query": "?",
        "ground_truth": [{"alternatives": [{"id": "c", "grade": 2.0, "text": "t"}], "weight": 3.0}],
        "results": [{"id": "c", "score": 1.0}],
        "metadata": {"year": 2003},
    },
]
"""Only the last one has more than ids."""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where to write; a row group has two rows."""
    monkeypatch.setattr(parquet_writing, "ROWS_PER_GROUP", 2)
    return tmp_path / "a.parquet"


def test_what_only_the_last_row_group_has_is_known_from_the_first(path: Path) -> None:
    write_parquet(LATE, str(path))
    assert parquet.ParquetFile(path).metadata.num_row_groups == 2
    found = [one.model_dump(mode="json") for one in read_whole(path).queries]
    in_full = [{**one, "results": list(map(judgements.in_full, one["results"]))} for one in LATE]
    assert found == in_full


def test_texts_that_only_the_last_row_group_has_are_in_autorags_columns(path: Path) -> None:
    write_autorag(LATE, str(path))
    table = parquet.read_table(path)
    assert table["retrieval_gt_contents"].to_pylist() == [[[None]], [], [[None, None]], [["t"]]]
    assert table["retrieval_gt"].to_pylist() == [[["a"]], [], [["a", "b"]], [["c"]]]
    assert table["retrieve_scores"].to_pylist() == [None, None, None, [1.0]]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"id": "q", "results": ["a", 1]}, "both kinds"),
        ({"id": "q", "results": ["\ud800"]}, "cannot be written"),
        ({"id": "q", "results": [2**63]}, "cannot be written"),
    ],
)
def test_what_parquet_cannot_hold_is_refused_and_nothing_is_written(
    record: Any, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    with pytest.raises(InputError, match=said):
        write_parquet([record], str(path))
    assert not path.exists()
