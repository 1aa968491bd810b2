"""One result of each kind that can be saved as JSON, to start from."""

from pathlib import Path

from groupwise import compare, evaluate, explain, power, remap

CORPUS = {"d1": "a text", "d2": "a text of a document", "a": "another one", "b": "more of them"}


def save_each(truth: Path, run: Path) -> list[bytes]:
    """Return a report, a baseline, a comparison, an explanation, a power analysis, a remapping."""
    metrics = ["recall@5", "ndcg"]
    report = evaluate(truth, run, metrics=metrics, confidence=0.95, provenance=True)
    runs = {"one": run, "other": {"q1": ["a", "d1"], "q2": ["b"]}}
    baseline = truth.with_name("baseline.json")
    report.save_baseline(baseline)
    results = (
        report,
        compare(truth, runs, metrics=metrics, permutations=50),
        explain(truth, run),
        power(truth, runs, metrics=metrics),
        remap(truth, old=CORPUS, new=CORPUS),
    )
    return [*(result.to_json().encode() for result in results), baseline.read_bytes()]
