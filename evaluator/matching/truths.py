"""The parts of a ground truth, plain or rich."""

from collections.abc import Iterable
from itertools import chain

from groupwise.schemas import Id, PlainTruth, RichTruth, Truth


def groups_of(truth: Truth) -> PlainTruth:
    """Return the ids of each group."""
    return truth.groups if type(truth) is RichTruth else truth  # type: ignore[return-value]


def weights_of(truth: Truth) -> list[float]:
    """Return the weight of each group."""
    return truth.weights if isinstance(truth, RichTruth) else [1.0] * len(truth)


def labels_of(truth: Truth) -> Iterable[str | None]:
    """Return the label of each group."""
    return truth.labels if isinstance(truth, RichTruth) else [None] * len(truth)


def grades_of(truth: Truth) -> Iterable[float]:
    """Return the grade of each alternative."""
    return truth.grades if isinstance(truth, RichTruth) else [1.0] * sum(map(len, truth))


def grades_by_id(truth: Truth) -> dict[Id, float]:
    """Return the best grade of each id, in the order in which ids are listed."""
    grades: dict[Id, float] = {}
    listed = chain.from_iterable(groups_of(truth))
    for document, grade in zip(listed, grades_of(truth), strict=True):
        grades[document] = max(grade, grades.get(document, 0.0))
    return grades
