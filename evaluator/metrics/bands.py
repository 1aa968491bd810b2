"""Bands: what a published source calls a score of a metric. They are advice, not a verdict.

What is a good score depends on the data: on how many documents are relevant, how they were judged,
how hard the questions are. A metric has bands only if a source gives them for its definition, and
in the words of that source.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Source(NamedTuple):
    """A publication."""

    title: str
    address: str

    def __str__(self) -> str:
        return f"{self.title}, {self.address}"


class Bands(NamedTuple):
    """The words of a source, from the highest score down, each with the score that it begins at.

    Attributes:
        words: Pairs of a score and a word.
        source: Where they are published.
        below: The word for lower scores; blank if the source has none.
        cutoff: The cutoff that they are given for; None: any.
    """

    words: Sequence[tuple[float, str]]
    source: Source
    below: str = ""
    cutoff: int | None = None

    def __str__(self) -> str:
        parts = [f"{word} from {score:g}" for score, word in self.words]
        parts += [f"{self.below} below"] if self.below else []
        where = f" (at {self.cutoff})" if self.cutoff else ""
        return f"{', '.join(parts)}{where}"

    def find_word(self, score: float, cutoff: object = None) -> str:
        """Return the word for a score; blank if the source has none for it.

        >>> MRR.find_word(0.8), MRR.find_word(0.2)
        ('good', 'poor')
        """
        if self.cutoff is not None and cutoff != self.cutoff:
            return ""
        return next((word for begin, word in self.words if score >= begin), self.below)


AUTORAG_RESEARCH = "AutoRAG-Research documentation: {}"
ADDRESS = "https://nomadamas.github.io/AutoRAG-Research/metrics/retrieval/{}"


def _cite_autorag_research(name: str) -> Bands:
    """Return the bands of AutoRAG-Research, which names a good and a moderate score."""
    source = Source(AUTORAG_RESEARCH.format(name), ADDRESS.format(name.lower()))
    return Bands(((1.0, "perfect"), (0.8, "good"), (0.5, "moderate")), source)


NDCG, MAP, F1 = map(_cite_autorag_research, ("NDCG", "MAP", "F1"))
MRR = Bands(
    ((0.9, "excellent"), (0.75, "good"), (0.5, "acceptable")),
    Source(
        "Retrieval Evaluation Metrics: MRR, nDCG, and Recall@K (2025)",
        "https://machingclee.github.io/blog/article/Retrieval-Evaluation-Metrics-MRR-nDCG-and-Recall-K",
    ),
    below="poor",
)
RECALL = Bands(
    ((0.95, "excellent"), (0.85, "good"), (0.7, "poor")),
    Source(
        "Measuring Retrieval: Recall, Precision, NDCG",
        "https://promptz2h.com/chapter_12_mastering_retrieval_augmented_generation/"
        "series_02_embedding_models_and_vector_search/measuring_retrieval_metrics",
    ),
    below="failure",
    cutoff=10,
)
