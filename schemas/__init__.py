"""Input and output as pydantic models; they import nothing else of groupwise.

Models that an evaluation does not need are built when they are first used: it takes milliseconds.
"""

from typing import TYPE_CHECKING, Any

from groupwise.schemas.dataset import Dataset, Query
from groupwise.schemas.estimates import Confidence, MeanInterval
from groupwise.schemas.fixture import Fixture, FixtureHead, FixtureQuery
from groupwise.schemas.ground_truth import (
    Alternative,
    GroundTruth,
    Group,
    PlainTruth,
    RichTruth,
    Truth,
    plain_truths,
)
from groupwise.schemas.ids import Id, Kind, plain_kind
from groupwise.schemas.policies import Policies
from groupwise.schemas.provenance import Input, Provenance
from groupwise.schemas.reference import Reference
from groupwise.schemas.report import (
    Band,
    Bounds,
    Counts,
    Curve,
    PerQuery,
    RankSummary,
    Report,
    Scores,
    Slice,
    Ties,
)
from groupwise.schemas.result import Result, Run, RunQuery, plain_rankings
from groupwise.schemas.shape import FIELD_NAMES, Shape
from groupwise.schemas.spelling import Spellings
from groupwise.schemas.verdict import GateVerdict

if TYPE_CHECKING:
    from groupwise.schemas.baseline import Baseline
    from groupwise.schemas.check import FixtureCheck, Outcome
    from groupwise.schemas.comparison import Comparison
    from groupwise.schemas.corpus import Corpus, Document
    from groupwise.schemas.validation import (
        Finding,
        SeverityCounts,
        StaleEntry,
        Summary,
        ValidationReport,
    )

__all__ = [
    "FIELD_NAMES",
    "Alternative",
    "Band",
    "Baseline",
    "Bounds",
    "Comparison",
    "Confidence",
    "Corpus",
    "Counts",
    "Curve",
    "Dataset",
    "Document",
    "Finding",
    "Fixture",
    "FixtureCheck",
    "FixtureHead",
    "FixtureQuery",
    "GateVerdict",
    "GroundTruth",
    "Group",
    "Id",
    "Input",
    "Kind",
    "MeanInterval",
    "Outcome",
    "PerQuery",
    "PlainTruth",
    "Policies",
    "Provenance",
    "Query",
    "RankSummary",
    "Reference",
    "Report",
    "Result",
    "RichTruth",
    "Run",
    "RunQuery",
    "Scores",
    "SeverityCounts",
    "Shape",
    "Slice",
    "Spellings",
    "StaleEntry",
    "Summary",
    "Ties",
    "Truth",
    "ValidationReport",
    "plain_kind",
    "plain_rankings",
    "plain_truths",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'groupwise.schemas' has no attribute {name!r}")
    from groupwise.schemas import (  # noqa: PLC0415  (see above)
        baseline,
        check,
        comparison,
        corpus,
        validation,
    )

    modules = (baseline, check, comparison, corpus, validation)
    home = next(module for module in modules if name in vars(module))
    return vars(home)[name]
