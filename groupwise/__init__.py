"""Evaluate retrieval results against grouped ground truth.

    >>> from groupwise import evaluate, hit_vector
    >>> ground_truth = [["test-1", "test-2"], ["test-3"]]
    >>> results = ["test-1", "pred-1", "test-2", "pred-3"]
    >>> hit_vector(ground_truth, results)
    [1, 0, 1, 0]
    >>> evaluate({"q1": ground_truth}, {"q1": results}, metrics=["recall", "ndcg@3"]).scores
    {'recall': 0.5, 'ndcg@3': 0.7039180890341347}

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groupwise import metrics
    from groupwise.evaluator.errors import (
        ExtensionError,
        GroupwiseError,
        InputError,
        LossyConversion,
        OptionError,
        OutputError,
        PluginError,
        UnknownMetric,
        WorkerLost,
    )
    from groupwise.evaluator.evaluation.baseline import read_baseline
    from groupwise.evaluator.evaluation.compare import compare
    from groupwise.evaluator.evaluation.conversion import Conversion, convert
    from groupwise.evaluator.evaluation.evaluate import evaluate
    from groupwise.evaluator.evaluation.evaluate_part import evaluate_part, merge_parts
    from groupwise.evaluator.evaluation.evaluator import Evaluator
    from groupwise.evaluator.evaluation.explain import explain
    from groupwise.evaluator.evaluation.fixture import check_fixture
    from groupwise.evaluator.evaluation.part import EvaluationPart
    from groupwise.evaluator.evaluation.power import power
    from groupwise.evaluator.evaluation.read import read
    from groupwise.evaluator.evaluation.remap import remap
    from groupwise.evaluator.evaluation.single import hit_vector
    from groupwise.evaluator.evaluation.stream import EvaluationStream, evaluate_stream
    from groupwise.evaluator.evaluation.verdicts import judge_gates
    from groupwise.evaluator.formats.registry import Format, add_format
    from groupwise.evaluator.hits import Hits
    from groupwise.evaluator.inspection.inspect import inspect
    from groupwise.evaluator.judging.apply import AppliedSheet, apply_sheet
    from groupwise.evaluator.judging.suggest import suggest
    from groupwise.evaluator.matching import HitsBuilder, Matcher, QueryMatcher, add_matcher
    from groupwise.evaluator.matching.evidence import Evidence
    from groupwise.evaluator.metrics.registry import metric
    from groupwise.evaluator.reading.content import passage_id, text_id
    from groupwise.evaluator.reading.file import File
    from groupwise.evaluator.reporting.forms import Form, add_form
    from groupwise.evaluator.validation.engine.fixing import Fixed
    from groupwise.evaluator.validation.engine.line_fixing import FixedFile
    from groupwise.evaluator.validation.facts.draft import Draft
    from groupwise.evaluator.validation.fix import fix, fix_in_place
    from groupwise.evaluator.validation.rules.registry import add_rule
    from groupwise.evaluator.validation.rules.rule import Rule
    from groupwise.evaluator.validation.validate import assert_valid, validate
    from groupwise.schemas import (
        Alternative,
        Baseline,
        Corpus,
        Dataset,
        Document,
        Fixture,
        FixtureCheck,
        GateVerdict,
        GroundTruth,
        Group,
        Query,
        Reference,
        Report,
        Result,
        Run,
        ValidationReport,
    )
    from groupwise.schemas.comparison import Comparison
    from groupwise.schemas.explanation import (
        Explanation,
        GroupExplanation,
        NearMiss,
        QueryExplanation,
    )
    from groupwise.schemas.inspection import InspectedField, Inspection, Proposal
    from groupwise.schemas.judging import Sheet, Suggestion
    from groupwise.schemas.plot import Plot
    from groupwise.schemas.power import PowerAnalysis, Sensitivity
    from groupwise.schemas.remap import MovedAlternative, Remapped

__version__ = "0.2.0"

if not os.path.isdir(os.path.join(os.path.dirname(__file__), "evaluator")):  # noqa: PTH112, PTH118, PTH120
    # A checkout without symbolic links: the two folders lie beside this one.
    __path__.append(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120  (pathlib is slow to load)

_HOMES = {
    "groupwise.evaluator.evaluation.fixture": ["check_fixture"],
    "groupwise.evaluator.evaluation.baseline": ["read_baseline"],
    "groupwise.evaluator.evaluation.compare": ["compare"],
    "groupwise.evaluator.evaluation.conversion": ["Conversion", "convert"],
    "groupwise.evaluator.evaluation.power": ["power"],
    "groupwise.evaluator.evaluation.read": ["read"],
    "groupwise.evaluator.evaluation.remap": ["remap"],
    "groupwise.evaluator.errors": [
        "GroupwiseError",
        "InputError",
        "LossyConversion",
        "OptionError",
        "ExtensionError",
        "OutputError",
        "PluginError",
        "UnknownMetric",
        "WorkerLost",
    ],
    "groupwise.evaluator.evaluation.evaluate": ["evaluate"],
    "groupwise.evaluator.evaluation.evaluate_part": ["evaluate_part", "merge_parts"],
    "groupwise.evaluator.evaluation.part": ["EvaluationPart"],
    "groupwise.evaluator.evaluation.evaluator": ["Evaluator"],
    "groupwise.evaluator.evaluation.explain": ["explain"],
    "groupwise.evaluator.evaluation.single": ["hit_vector"],
    "groupwise.evaluator.evaluation.stream": ["EvaluationStream", "evaluate_stream"],
    "groupwise.evaluator.evaluation.verdicts": ["judge_gates"],
    "groupwise.evaluator.formats.registry": ["Format", "add_format"],
    "groupwise.evaluator.hits": ["Hits"],
    "groupwise.evaluator.inspection.inspect": ["inspect"],
    "groupwise.evaluator.judging.apply": ["AppliedSheet", "apply_sheet"],
    "groupwise.evaluator.judging.suggest": ["suggest"],
    "groupwise.evaluator.matching": ["HitsBuilder", "Matcher", "QueryMatcher", "add_matcher"],
    "groupwise.evaluator.matching.evidence": ["Evidence"],
    "groupwise.evaluator.metrics.registry": ["metric"],
    "groupwise.evaluator.reading.content": ["passage_id", "text_id"],
    "groupwise.evaluator.reading.file": ["File"],
    "groupwise.evaluator.reporting.forms": ["Form", "add_form"],
    "groupwise.evaluator.validation.engine.fixing": ["Fixed"],
    "groupwise.evaluator.validation.engine.line_fixing": ["FixedFile"],
    "groupwise.evaluator.validation.facts.draft": ["Draft"],
    "groupwise.evaluator.validation.fix": ["fix", "fix_in_place"],
    "groupwise.evaluator.validation.rules.registry": ["add_rule"],
    "groupwise.evaluator.validation.rules.rule": ["Rule"],
    "groupwise.evaluator.validation.validate": ["assert_valid", "validate"],
    "groupwise.schemas": [
        "Alternative",
        "Baseline",
        "Corpus",
        "Dataset",
        "Document",
        "Fixture",
        "FixtureCheck",
        "GateVerdict",
        "GroundTruth",
        "Group",
        "Query",
        "Reference",
        "Report",
        "Result",
        "Run",
        "ValidationReport",
    ],
    "groupwise.schemas.comparison": ["Comparison"],
    "groupwise.schemas.explanation": [
        "Explanation",
        "GroupExplanation",
        "NearMiss",
        "QueryExplanation",
    ],
    "groupwise.schemas.inspection": ["InspectedField", "Inspection", "Proposal"],
    "groupwise.schemas.judging": ["Sheet", "Suggestion"],
    "groupwise.schemas.plot": ["Plot"],
    "groupwise.schemas.power": ["PowerAnalysis", "Sensitivity"],
    "groupwise.schemas.remap": ["MovedAlternative", "RemapCounts", "Remapped"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Alternative",
    "AppliedSheet",
    "Baseline",
    "Comparison",
    "Conversion",
    "Corpus",
    "Dataset",
    "Document",
    "Draft",
    "EvaluationPart",
    "EvaluationStream",
    "Evaluator",
    "Evidence",
    "Explanation",
    "ExtensionError",
    "File",
    "Fixed",
    "FixedFile",
    "Fixture",
    "FixtureCheck",
    "Form",
    "Format",
    "GateVerdict",
    "GroundTruth",
    "Group",
    "GroupExplanation",
    "GroupwiseError",
    "Hits",
    "HitsBuilder",
    "InputError",
    "InspectedField",
    "Inspection",
    "LossyConversion",
    "Matcher",
    "MovedAlternative",
    "NearMiss",
    "OptionError",
    "OutputError",
    "Plot",
    "PluginError",
    "PowerAnalysis",
    "Proposal",
    "Query",
    "QueryExplanation",
    "QueryMatcher",
    "Reference",
    "Remapped",
    "Report",
    "Result",
    "Rule",
    "Run",
    "Sensitivity",
    "Sheet",
    "Suggestion",
    "UnknownMetric",
    "ValidationReport",
    "WorkerLost",
    "add_form",
    "add_format",
    "add_matcher",
    "add_rule",
    "apply_sheet",
    "assert_valid",
    "check_fixture",
    "compare",
    "convert",
    "evaluate",
    "evaluate_part",
    "evaluate_stream",
    "explain",
    "fix",
    "fix_in_place",
    "hit_vector",
    "inspect",
    "judge_gates",
    "merge_parts",
    "metric",
    "metrics",
    "passage_id",
    "power",
    "read",
    "read_baseline",
    "remap",
    "suggest",
    "text_id",
    "validate",
]


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return import_module("groupwise.metrics")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'groupwise' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


_BOUND = {
    "__version__": "groupwise",
    "build_frame": "groupwise.evaluator.reporting.frames",
    "explain_report": "groupwise.evaluator.evaluation.explain",
    "flatten_report": "groupwise.evaluator.reporting.flat",
    "load_result": "groupwise.evaluator.reporting.loading",
    "parse_bound": "groupwise.evaluator.statistics.bounds",
    "plot_chart": "groupwise.evaluator.reporting.charts.plots",
    "plural": "groupwise.evaluator.text",
    "queries_of_documents": "groupwise.evaluator.intake.retriever_output",
    "queries_of_table": "groupwise.evaluator.intake.objects",
    "read_as": "groupwise.evaluator.evaluation.read",
    "release_ground_truth": "groupwise.evaluator.evaluation.remap",
    "render_as": "groupwise.evaluator.reporting.forms",
    "render_sheet": "groupwise.evaluator.reporting.sheet",
    "save_baseline": "groupwise.evaluator.evaluation.baseline",
    "save_ground_truth": "groupwise.evaluator.evaluation.remap",
    "save_plot": "groupwise.evaluator.reporting.charts.plots",
    "save_run": "groupwise.evaluator.evaluation.conversion",
    "view_in_notebook": "groupwise.evaluator.reporting.notebook",
    "write_as": "groupwise.evaluator.reporting.forms",
    "write_text": "groupwise.evaluator.reporting.forms",
    "write_sheet": "groupwise.evaluator.reporting.sheet",
}
"""What the models take from other layers, and its modules: functions, and the version."""


def _find_bound(name: str) -> Any:
    """Return the function that implements a method of the models."""
    return getattr(import_module(_BOUND[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
