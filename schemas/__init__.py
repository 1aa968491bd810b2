"""What comes in and goes out, as pydantic models; this package imports nothing else of groupwise."""

from .check import Difference, FixtureCheck
from .dataset import Dataset, Query
from .fixture import Fixture, FixtureHead, FixtureQuery
from .ground_truth import Alternative, GroundTruth, Group, PlainTruth, plain_truth
from .ids import Id, plain_kind
from .policies import Policies
from .report import Counts, PerQuery, RankSummary, Report, Scores
from .result import Ranking, Result, Run, RunQuery
from .shape import FIELD_NAMES, Shape

__all__ = [
    "FIELD_NAMES",
    "Alternative",
    "Counts",
    "Dataset",
    "Difference",
    "Fixture",
    "FixtureCheck",
    "FixtureHead",
    "FixtureQuery",
    "GroundTruth",
    "Group",
    "Id",
    "PerQuery",
    "PlainTruth",
    "Policies",
    "Query",
    "RankSummary",
    "Ranking",
    "Report",
    "Result",
    "Run",
    "RunQuery",
    "Scores",
    "Shape",
    "plain_kind",
    "plain_truth",
]
