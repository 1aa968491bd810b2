"""A score is stored under one name and read under every name that asks for it."""

import copy
import pickle
from collections.abc import Callable

import pytest

from groupwise import Report, evaluate
from groupwise.schemas.scores import find_label, split_label

TRUTH = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RUN = {"q1": ["a", "x", "b", "y"], "q2": ["x", "d"]}


@pytest.mark.parametrize(
    ("profile", "asked", "read"),
    [
        ("coverage", "recall@5", ["StRecall@5", "strec@5", "R@5", "coverage:StRecall@5"]),
        ("autorag", "ndcg@3", ["nDCG@3", " NDCG @ 3 ", "AutoRAG : nDCG@3", "ndcg@03"]),
        ("coverage", "ndcg", ["coverage:ndcg", "nDCG", "Coverage:NDCG"]),
        ("coverage", "coverage:ndcg", ["ndcg", "coverage:NDCG"]),
        ("autorag", "trec:map@10", ["TREC:AP@10", "trec:MAP@10"]),
        ("trec", "rbp(p=0.5)@10", ["RBP( p = 0.50 )@10", "trec:rbp(p=.5)@10"]),
        ("autorag", "Success@2000t", ["hit@2000T", "hit_rate@2000t"]),
        ("autorag", "recall(label=Hop 1)", ["R(label=hop 1)", "recall( LABEL = HOP 1 )"]),
    ],
)
def test_every_spelling_that_asks_for_a_score_finds_it(
    profile: str, asked: str, read: list[str]
) -> None:
    truth = {q: [{"alternatives": g, "label": "hop 1"} for g in gs] for q, gs in TRUTH.items()}
    run = {q: [{"id": one, "tokens": 10} for one in ids] for q, ids in RUN.items()}
    report = evaluate(truth, run, metrics=[asked], profile=profile)
    ((label, mean),) = report.scores.items()
    assert mean is not None
    for spelling in [asked, *read]:
        assert report.scores[spelling] == report.scores.get(spelling) == mean
        assert report.per_query["q1"][spelling] == report.per_query["q1"][label]
        assert dict(report.per_query.column(spelling)) == dict(report.per_query.column(label))


def test_what_asks_for_another_metric_finds_nothing() -> None:
    report = evaluate(TRUTH, RUN, metrics=["recall@5", "trec:map"])
    for spelling in ("strecall@5", "trec:recall@5", "map", "recall", "recall@50", "recall(p=1)@5"):
        with pytest.raises(KeyError, match="no score"):
            report.scores[spelling]
        assert report.scores.get(spelling, -1) == -1
        assert spelling not in report.scores
    with pytest.raises(KeyError, match=r"no score 'recal@5'; did you mean 'recall@5'\?"):
        report.per_query["q1"]["recal@5"]


def test_an_exact_name_goes_first() -> None:
    report = evaluate(TRUTH, RUN, metrics=["ndcg", "autorag:ndcg", "trec:ndcg"])
    assert list(report.scores) == ["ndcg", "autorag:ndcg", "trec:ndcg"]
    assert report.scores["TREC:NDCG"] == report.scores["trec:ndcg"]


def test_spellings_are_not_written() -> None:
    report = evaluate(TRUTH, RUN, metrics="recall@5", profile="coverage")
    assert "strecall" not in report.to_json()
    assert report.to_dict()["scores"] == {"recall@5": 0.75}
    assert Report.model_validate_json(report.to_json()) == report


def pickled(report: Report) -> Report:
    again: Report = pickle.loads(pickle.dumps(report))  # noqa: S301
    return again


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_copies_answer_to_the_same_spellings(copied: Callable[[Report], Report]) -> None:
    report = copied(evaluate(TRUTH, RUN, metrics="recall@5", profile="coverage"))
    assert report.scores["StRecall@5"] == 0.75
    assert report.per_query["q1"]["StRecall@5"] == 0.5


def test_text_that_is_no_name_is_split_into_itself() -> None:
    assert split_label("recall(5").name == "recall(5"
    assert find_label("recall(5", ["recall"], {}) is None
