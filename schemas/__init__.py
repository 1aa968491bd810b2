"""Input and output as pydantic models; they import nothing else of groupwise.

Names are loaded when they are first used. An import of pydantic and of all models takes longer than
most evaluations: whoever needs no model loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groupwise.schemas.baseline import Baseline
    from groupwise.schemas.check import FixtureCheck, Outcome
    from groupwise.schemas.comparison import Comparison
    from groupwise.schemas.corpus import Corpus, Document
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
        plain_rankings,
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
        RankSummary,
        Report,
        Slice,
        Ties,
    )
    from groupwise.schemas.result import Result, Run, RunQuery
    from groupwise.schemas.scores import PerQuery, Scores, Spellings
    from groupwise.schemas.shape import Shape
    from groupwise.schemas.validation import (
        Finding,
        SeverityCounts,
        StaleEntry,
        Summary,
        ValidationReport,
    )
    from groupwise.schemas.values import FIELD_NAMES
    from groupwise.schemas.verdict import GateVerdict

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

_HOMES = {
    "baseline": ["Baseline"],
    "check": ["FixtureCheck", "Outcome"],
    "comparison": ["Comparison"],
    "corpus": ["Corpus", "Document"],
    "dataset": ["Dataset", "Query"],
    "estimates": ["Confidence", "MeanInterval"],
    "fixture": ["Fixture", "FixtureHead", "FixtureQuery"],
    "ground_truth": [
        "Alternative",
        "GroundTruth",
        "Group",
        "PlainTruth",
        "RichTruth",
        "Truth",
        "plain_rankings",
        "plain_truths",
    ],
    "ids": ["Id", "Kind", "plain_kind"],
    "policies": ["Policies"],
    "provenance": ["Input", "Provenance"],
    "reference": ["Reference"],
    "report": ["Band", "Bounds", "Counts", "Curve", "RankSummary", "Report", "Slice", "Ties"],
    "result": ["Result", "Run", "RunQuery"],
    "scores": ["PerQuery", "Scores", "Spellings"],
    "shape": ["Shape"],
    "validation": ["Finding", "SeverityCounts", "StaleEntry", "Summary", "ValidationReport"],
    "values": ["FIELD_NAMES"],
    "verdict": ["GateVerdict"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'groupwise.schemas' has no attribute {name!r}")
    value = getattr(import_module(f"groupwise.schemas.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
