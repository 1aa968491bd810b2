"""The charts that pages show, drawn from the retrievers of the examples."""

from pathlib import Path

from groupwise import evaluate

RETRIEVERS = Path(__file__).parent.parent.parent / "fixtures" / "examples" / "retrievers"
CHARTS = ("curve", "missed")
WIDTH = 480


def charts() -> dict[str, str]:
    """Return each chart by its name, as the text of an SVG file."""
    truth, run = RETRIEVERS / "ground_truth.jsonl", RETRIEVERS / "bm25.jsonl"
    report = evaluate(truth, run, profile="coverage", metrics=["recall@5"], by="corpus")
    return {name: report.plot(name, width=WIDTH).svg for name in CHARTS}
