"""What Spark calls in its executors: a partition in, a part or the scores of its queries out."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.errors import ExtensionError, GroupwiseError, PluginError
from groupwise.evaluator.evaluation.engines.spark.modules import cloudpickle
from groupwise.evaluator.evaluation.engines.spark.pairing import Pairing, Side, pair_all
from groupwise.evaluator.evaluation.engines.spark.records import Reader
from groupwise.evaluator.evaluation.part import EvaluationPart
from groupwise.evaluator.evaluation.partial import Partial, Setup
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.plugins.loading import load_plugin
from groupwise.evaluator.plugins.own import extension_in
from groupwise.evaluator.reading.arrow import arrow
from groupwise.schemas.binding import find_version

FOUND = "found"
"""The column of pickled parts, or of the error that ended a task."""
OTHER_VERSION = "the driver has groupwise {driver}, an executor has {executor}; install one version"
NO_METRIC = (
    "a metric of your own cannot be loaded in an executor: {reason}; send its module there with "
    "spark.addArtifacts(…, pyfile=True)"
)
Task = Callable[[Iterable[Any]], Iterator[Any]]


@dataclass(frozen=True)
class Job:
    """What every task of an evaluation is told.

    ``packed`` are the setup and the vectors, pickled with the functions of metrics, so that one
    from a notebook works in the executors; a metric of a plugin is unpacked after the plugin is
    loaded.
    """

    packed: bytes
    readers: tuple[Reader, Reader]
    names: tuple[dict[str, str], dict[str, str]]
    fingerprints: bool = False
    plugins: tuple[str, ...] = ()
    version: str = ""

    def start(self, *, per_query: bool = False) -> Pairing:
        """Return what pairs the rows of a partition.

        Raises:
            PluginError: A plugin or a metric cannot be loaded, or versions differ.
        """
        setup, vectors = self._unpack()
        setup = _keep_scores(setup) if per_query else setup
        part = EvaluationPart(
            Partial(setup, vectors), fingerprints=self.fingerprints and not per_query
        )
        return Pairing(part, *map(Side, self.readers, self.names))

    def _unpack(self) -> tuple[Setup, VectorTable | None]:
        if self.version != find_version():
            message = OTHER_VERSION.format(driver=self.version, executor=find_version())
            raise PluginError(message)
        for plugin in self.plugins:
            load_plugin(plugin)
        try:
            unpacked: tuple[Setup, VectorTable | None] = cloudpickle.loads(self.packed)
        except ImportError as error:
            raise PluginError(NO_METRIC.format(reason=error)) from error
        return unpacked


def dump(value: Any) -> bytes:
    """Return a value, pickled with the functions in it that cannot be imported."""
    pickled: bytes = cloudpickle.dumps(value)
    return pickled


def score_parts(job: Job) -> Task:
    """Return the task that scores a partition, and returns its part."""

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        try:
            with explained_failures():
                found = dump(pair_all(job.start(), batches))
        except GroupwiseError as error:
            found = dump(error)
        pa = arrow()
        yield pa.RecordBatch.from_pydict({FOUND: pa.array([found], pa.binary())})

    return task


def list_scores(job: Job) -> Task:
    """Return the task that scores a partition, and returns the scores of its queries."""

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        with explained_failures():
            pairing = job.start(per_query=True)
            for batch in batches:
                pairing.add(batch)
                yield _take_scores(pairing.part)
            yield _take_scores(pairing.finish())

    return task


def name_columns(setup: Setup) -> dict[str, bool]:
    """Return the columns of scores by query, and whether each holds ranks."""
    asked = [measure for measure in setup.measures if not measure.in_curve]
    return {measure.label: measure.metric.kind == "rank" for measure in asked}


def _keep_scores(setup: Setup) -> Setup:
    """Return a setup that scores queries, and nothing else."""
    return setup.replace(
        per_query=True, by=(), confidence=None, ceilings=frozenset(), gated=False, explain=None
    )


def _take_scores(part: EvaluationPart) -> Any:
    """Return the scores of the queries so far, as Arrow data."""
    pa = arrow()
    ids, values = part.partial.take_values()
    columns = [pa.array(ids, pa.string())]
    names = name_columns(part.partial.setup)
    for is_rank, scores in zip(names.values(), values, strict=False):  # those of curves are last
        unknown = np.isnan(scores)
        known = np.where(unknown, 0, scores).astype(np.int64) if is_rank else scores
        columns.append(pa.array(known, mask=unknown))
    return pa.RecordBatch.from_arrays(columns, ["id", *names])


@contextmanager
def explained_failures() -> Iterator[None]:
    """Name the extension that an error comes from in its message: notes stay in the executor."""
    try:
        yield
    except Exception as error:
        extension = extension_in(error)
        if extension is None:
            raise
        reason = f"{type(error).__name__}: {error}"
        raise ExtensionError(f"the {extension} failed: {reason}") from error
