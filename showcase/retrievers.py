"""Three retrievers that learn from the chunks alone: nothing is downloaded.

Scores are rounded before results are ordered, and equal scores are ordered by id, so that the last
digits of a machine's arithmetic do not matter.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import bm25s
import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

Scores: TypeAlias = Any
"""For each question, the score of each text: a matrix, or a list of arrays."""
Retriever: TypeAlias = Callable[[Sequence[str], Sequence[str]], Scores]
Results: TypeAlias = list[dict[str, Any]]

DEPTH = 50
"""Results kept for each question."""
DIGITS = 6
"""Digits of a score after the point."""
TOPICS = 200
"""Dimensions of LSA."""
SEED = 0


def score_by_bm25(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """Return scores of BM25 with the defaults of bm25s (k1 = 1.5, b = 0.75, Lucene's idf)."""
    index = bm25s.BM25()
    index.index(_split_words(texts), show_progress=False)
    return [index.get_scores(words) for words in _split_words(questions)]


def _split_words(texts: Sequence[str]) -> Any:
    return bm25s.tokenize(list(texts), stopwords="en", return_ids=False, show_progress=False)


def score_by_tfidf(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """Return the cosine of vectors with a weight for each word."""
    chunks, asked = _weigh_words(texts, questions)
    return (asked @ chunks.T).toarray()


def score_by_lsa(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """Return the cosine in the space of the most important topics: latent semantic analysis."""
    chunks, asked = _weigh_words(texts, questions)
    topics = TruncatedSVD(TOPICS, random_state=SEED).fit(chunks)
    return normalize(topics.transform(asked)) @ normalize(topics.transform(chunks)).T


def _weigh_words(texts: Sequence[str], questions: Sequence[str]) -> tuple[Any, Any]:
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    return words.fit_transform(texts), words.transform(questions)


RETRIEVERS: dict[str, Retriever] = {
    "bm25": score_by_bm25,
    "tfidf": score_by_tfidf,
    "lsa": score_by_lsa,
}


def rank(scores: Any, ids: Any) -> Results:
    """Return the best results of a question; a text without any score is no result."""
    rounded = np.round(np.asarray(scores, float), DIGITS)
    best = np.lexsort((ids, -rounded))[:DEPTH]
    return [
        {"id": str(ids[place]), "score": float(rounded[place])}
        for place in best
        if rounded[place] > 0
    ]
