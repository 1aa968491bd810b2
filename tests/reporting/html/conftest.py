"""The pages that the browser opens."""

import random
from pathlib import Path

import pytest

from groupwise import compare, evaluate
from tests.browsing import browser, visit
from tests.paths import RETRIEVERS
from tests.reporting.html.hostile import SIGNS, build

GATES = ["recall@5 >= 0.9", "ndcg@10 >= 0.5"]
__all__ = ["browser", "visit"]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a shipped retriever."""
    report = evaluate(
        str(RETRIEVERS / "ground_truth.jsonl"), str(RETRIEVERS / "bm25.jsonl"),
        metrics=["recall@5", "ndcg@10", "first_hit"], profile="coverage", by="corpus", gates=GATES,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("demo") / "report.html"
    report.to_html(path, worst=20)
    return path


@pytest.fixture(scope="session")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The comparison of three shipped retrievers."""
    runs = {name: str(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "fusion", "trigrams")}
    found = compare(str(RETRIEVERS / "ground_truth.jsonl"), runs, metrics=["recall@5", "ndcg@10"])
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    found.to_html(path)
    return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report whose ids, queries, texts and labels would act on the page."""
    truth, run = [], []
    for number, sign in enumerate(SIGNS):
        truths, results = build(sign)
        truth.append({**truths[0], "metadata": {"type": sign}})
        run.append(results[0])
        truth.append({**truths[1], "id": f"{sign} {number}"})
        run.append({**results[1], "id": f"{sign} {number}"})
    report = evaluate(truth, run, metrics=["recall@1", "mrr"], by=["type", "label"])
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    report.to_html(path, worst=len(SIGNS))
    return path


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 10,000 queries with 100 results each."""
    chance = random.Random(7)  # noqa: S311
    truth, run = [], []
    for number in range(10_000):
        groups = [
            [f"doc-{chance.randrange(10**6):06}" for _ in range(chance.randint(1, 3))]
            for _ in range(chance.randint(1, 4))
        ]
        results = [f"doc-{chance.randrange(10**6):06}" for _ in range(100)]
        for group in groups:
            results[chance.randrange(100)] = chance.choice([group[0], results[0]])
        query = f"query-{number:05}"
        text = f"What is the answer to question number {number} about the things we store?"
        truth.append({"id": query, "query": text, "ground_truth": groups})
        run.append({"id": query, "results": list(dict.fromkeys(results))})
    path = tmp_path_factory.mktemp("many") / "report.html"
    evaluate(truth, run).to_html(path)
    return path
