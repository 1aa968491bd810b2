"""Calls of a retriever that are in a journal are not made again."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, InputError, Run, evaluate
from groupwise.schemas import RunQuery
from tests.evaluate.journal.data import build_truths, read_journal

COUNT = 20
TRUTHS = [{**record, "ground_truth": [["a"], ["b", "c"]]} for record in build_truths(COUNT)]
DATASET = Dataset.model_validate(TRUTHS)
ASKED: dict[str, Any] = {"metrics": ["recall@2", "ndcg", "trec:map"], "workers": 3}


class Retriever:
    """Returns results that depend on the text alone; counts its calls, and fails some."""

    def __init__(self, fails: Callable[[str], bool] = lambda _text: False) -> None:
        self.calls: list[str] = []
        self.fails = fails

    def __call__(self, text: str) -> Any:
        self.calls.append(text)
        if self.fails(text):
            raise ConnectionError("no route to host")
        chance = random.Random(text)  # noqa: S311
        ids = chance.sample("abcdef", 4)
        forms = [
            ids,
            [(one, chance.random()) for one in ids],
            [{"id": one, "score": 1 / 3, "text": f"tëxt {one}", "tokens": 7} for one in ids],
            {"results": ids, "scores": [3, 2, 1, 0]},
            [],
        ]
        return chance.choice(forms)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


def test_cut_anywhere_the_report_is_the_same_and_answers_are_kept(journal: Path) -> None:
    plain = evaluate(DATASET, retriever=Retriever(), **ASKED)
    first = Retriever()
    report = evaluate(DATASET, retriever=first, resume=journal, **ASKED)
    assert report.to_json() == plain.to_json()
    assert len(first.calls) == COUNT
    data = journal.read_bytes()
    for cut in range(0, len(data) + 1, 37):
        journal.write_bytes(data[:cut])
        again = Retriever()
        report = evaluate(DATASET, retriever=again, resume=journal, **ASKED)
        assert report.to_json() == plain.to_json()
        assert report.results == plain.results
        assert len(again.calls) == COUNT - max(0, data[:cut].count(b"\n") - 1)
        assert len(read_journal(journal)) == COUNT + 1


def test_failed_calls_are_made_again(journal: Path) -> None:
    first = Retriever(lambda text: text.endswith("7"))
    report = evaluate(DATASET, retriever=first, resume=journal, **ASKED)
    assert sorted(report.failures) == ["q007", "q017"]
    second = Retriever()
    report = evaluate(DATASET, retriever=second, resume=journal, **ASKED)
    assert sorted(second.calls) == ["question 17", "question 7"]
    assert report.to_json() == evaluate(DATASET, retriever=Retriever(), **ASKED).to_json()
    third = Retriever()
    assert evaluate(DATASET, retriever=third, resume=journal, **ASKED) == report
    assert third.calls == []


def test_an_interruption_keeps_the_answers(journal: Path) -> None:
    def interrupt(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    first, second = Retriever(), Retriever()
    with pytest.raises(KeyboardInterrupt):
        evaluate(DATASET, retriever=first, resume=journal, progress=interrupt, **ASKED)
    assert len(read_journal(journal)) == 6
    told: list[int] = []
    evaluate(DATASET, retriever=second, resume=journal, progress=told.append, **ASKED)
    assert len(second.calls) == COUNT - 5
    assert told[0] == 6


def test_metrics_policies_and_ground_truth_may_change(journal: Path) -> None:
    evaluate(DATASET, retriever=Retriever(), resume=journal, metrics="recall")
    other = Dataset.model_validate([{**record, "ground_truth": [["d"]]} for record in TRUTHS])
    again = Retriever()
    report = evaluate(other, retriever=again, resume=journal, metrics="mrr", empty_results="skip")
    assert again.calls == []
    assert report == evaluate(other, retriever=again, metrics="mrr", empty_results="skip")


def test_other_texts_and_other_queries_are_called(journal: Path) -> None:
    evaluate(DATASET, retriever=Retriever(), resume=journal, metrics="recall")
    changed = [*TRUTHS[1:], {**TRUTHS[0], "query": "another"}, {**TRUTHS[0], "id": "new"}]
    again = Retriever()
    data = Dataset.model_validate(changed)
    report = evaluate(data, retriever=again, resume=journal, metrics="recall")
    assert sorted(again.calls) == ["another", "question 0"]
    assert report == evaluate(data, retriever=Retriever(), metrics="recall")


def test_another_retriever_is_refused(journal: Path) -> None:
    def search(text: str) -> list[str]:
        return [text]

    evaluate(DATASET, retriever=Retriever(), resume=journal, metrics="recall")
    with pytest.raises(InputError, match="begun with retriever='Retriever', now it is retriever="):
        evaluate(DATASET, retriever=search, resume=journal, metrics="recall")


def test_the_other_kind_of_journal_is_refused(journal: Path, tmp_path: Path) -> None:
    evaluate(DATASET, retriever=Retriever(), resume=journal, metrics="recall")
    (tmp_path / "both.jsonl").write_text('{"id": "q", "ground_truth": [["a"]], "results": ["a"]}')
    with pytest.raises(InputError, match="one of calls of a retriever, not of an evaluation"):
        evaluate(tmp_path / "both.jsonl", resume=journal)


def test_objects_without_a_retriever_are_refused(journal: Path) -> None:
    with pytest.raises(InputError, match=r"resume: ground_truth must be a file, .* got an object"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, resume=journal)


RESULTS = st.one_of(
    st.lists(st.text(min_size=1).filter(str.strip), unique=True),
    st.lists(
        st.fixed_dictionaries(
            {"id": st.integers(0, 2**62)},
            optional={
                "score": st.floats(allow_nan=False, allow_infinity=False),
                "text": st.text(), "tokens": st.integers(0, 99),
                "vector": st.lists(st.floats(-9, 9), min_size=1),
            },
        )
    ),
)  # fmt: skip


@given(found=RESULTS)
def test_answers_come_back_as_they_were(
    found: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    journal = tmp_path_factory.mktemp("calls") / "calls.jsonl"
    truth = "a" if not found or isinstance(found[0], str) else 1
    data = Dataset.model_validate([{"id": "q", "query": "?", "ground_truth": [[truth]]}])

    def search(_text: str) -> Any:
        return found

    first = evaluate(data, retriever=search, resume=journal, metrics="recall")
    again = evaluate(data, retriever=search, resume=journal, metrics="recall")
    assert isinstance(again.results, Run)
    assert again.results == first.results
    expected = (
        RunQuery.model_validate({"id": "q", "results": found}) if not first.failures else None
    )
    assert expected is None or again.results.queries[0] == expected
