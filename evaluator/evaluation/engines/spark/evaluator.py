"""The driver's side: starts the tasks, merges their parts, and writes the report."""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from groupwise.evaluator.errors import GroupwiseError, OptionError, PluginError, Problem
from groupwise.evaluator.evaluation.conclusion import conclude
from groupwise.evaluator.evaluation.engines.spark.frames import SparkSide, join_frames, open_side
from groupwise.evaluator.evaluation.engines.spark.modules import DataFrame, errors, types
from groupwise.evaluator.evaluation.engines.spark.tasks import (
    FOUND,
    Job,
    dump,
    list_scores,
    name_columns,
    score_parts,
)
from groupwise.evaluator.evaluation.evaluator import Evaluator, choose_texts
from groupwise.evaluator.evaluation.part import EvaluationPart, merge_all
from groupwise.evaluator.evaluation.partial import Setup
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.sources import open_intake
from groupwise.evaluator.inspection.settling import Settled, settle
from groupwise.evaluator.intake.join import concatenate
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.plugins.loading import load_plugin
from groupwise.schemas import Query, Report, RunQuery
from groupwise.schemas.binding import find_version

NOT_INSTALLED = (
    "groupwise is not installed where the executors run Python; install it there, or set "
    "PYSPARK_PYTHON to a Python that has it"
)
NO_MODULE = "No module named 'groupwise"
NO_CORPUS = "corpus: not on Spark; add texts or spans to the DataFrames, or evaluate locally"


class Planned(NamedTuple):
    """An evaluation that Spark has not begun: the part of the driver, the rows and the job."""

    part: EvaluationPart
    rows: DataFrame
    job: Job


class SparkEvaluator(Evaluator):
    """An evaluator of DataFrames; ``plugins`` are loaded here and in every executor."""

    def __init__(self, ground_truth: Any, *, plugins: tuple[str, ...] = (), **asked: Any) -> None:
        for plugin in plugins:
            load_plugin(plugin)
        self._plugins = plugins
        super().__init__(ground_truth, **asked)

    def _prepare(self) -> None:
        """Check the columns of the ground truth."""
        self._open_truths(self._plan)

    def _open_truths(self, plan: Plan) -> SparkSide:
        return open_side(self._truth.value, Query, choose_texts(self._truth.options, plan))

    def score_queries(self, run: Any) -> DataFrame:
        """Return the scores of each query as a DataFrame, which Spark computes when it is used."""
        planned = self._plan_job(settle(run, None, "run"), self._plan._replace(explain=None))
        schema = build_schema(planned.part.partial.setup)
        return planned.rows.mapInArrow(list_scores(planned.job), schema)

    def _plan_job(self, run: Settled, plan: Plan) -> Planned:
        if plan.corpus is not None:
            raise OptionError([Problem(NO_CORPUS)])
        part = EvaluationPart(plan.start(), fingerprints=plan.fingerprints)
        truths = self._open_truths(plan)
        rankings = open_side(run.value, RunQuery, choose_texts(run.options, plan))
        joined = join_frames(truths, rankings)
        job = Job(
            dump((part.partial.setup, plan.vectors)), (truths.reader, rankings.reader),
            (joined.truths, joined.rankings), plan.fingerprints, self._plugins, find_version(),
        )  # fmt: skip
        return Planned(part, joined.rows, job)

    def _evaluate(self, run: Settled, plan: Plan) -> Report:
        planned = self._plan_job(run, plan)
        part = merge_all(planned.part, collect_parts(planned.rows, planned.job))
        report = part.report()
        return conclude(plan, report, lambda: self._collect_truths(plan), part.partial.values_of)

    def _collect_truths(self, plan: Plan) -> Rows:
        """Return the ground truth of all queries, for gates on slices of a baseline."""
        side = self._open_truths(plan)
        sources = map(side.reader.read, side.rows.toArrow().to_batches())
        partial = plan.start()
        return concatenate(
            rows for source in sources for rows in open_intake(partial, source, Query).rows()
        )


def collect_parts(rows: DataFrame, job: Job) -> Iterator[EvaluationPart]:
    """Yield the part of each partition, in order of the partitions.

    Raises:
        GroupwiseError: A task failed with it.
    """
    with explained_failures():
        found = rows.mapInArrow(score_parts(job), f"{FOUND} binary").collect()
    for row in found:
        part = pickle.loads(row[FOUND])  # noqa: S301  (written by our tasks)
        if isinstance(part, GroupwiseError):
            raise part
        yield part


@contextmanager
def explained_failures() -> Iterator[None]:
    """Say what to do if executors lack groupwise; Spark only shows the traceback of a worker."""
    try:
        yield
    except errors.PySparkException as error:
        if NO_MODULE not in str(error):
            raise
        raise PluginError(NOT_INSTALLED) from None


def build_schema(setup: Setup) -> "types.StructType":
    """Return the columns of scores by query: the id, then the metrics under their labels."""
    columns = [
        types.StructField(label, types.LongType() if is_rank else types.DoubleType())
        for label, is_rank in name_columns(setup).items()
    ]
    return types.StructType([types.StructField("id", types.StringType()), *columns])
