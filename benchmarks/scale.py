"""The section "A million queries": 1,000,000 x 100 through the command line, once."""

from benchmarks.context import Context
from benchmarks.memory import MEANS_ONLY
from benchmarks.processes import command
from benchmarks.store import Store
from benchmarks.worker import Numbers
from benchmarks.workloads import Workload

HUGE = Workload(1_000_000, 100)
QUICK_HUGE = Workload(2_000, 100)


def measure_scale(store: Store, context: Context) -> None:
    """Evaluate the file with one process and with two, and validate it."""
    workload = QUICK_HUGE if context.quick else HUGE
    store.keep("workload", lambda: [workload.queries, workload.results])
    store.keep("file", lambda: [context.lines(workload).stat().st_size])
    for jobs in ("1", "2"):
        key = f"evaluate, {jobs} {'job' if jobs == '1' else 'jobs'}"
        store.keep(key, _measure, "evaluate", (*MEANS_ONLY, "--jobs", jobs), workload, context)
    store.keep("validate, 1 job", _measure, "validate", (), workload, context)
    if not context.quick:
        context.lines(workload).unlink()


def _measure(verb: str, options: tuple[str, ...], workload: Workload, context: Context) -> Numbers:
    context.say(f"{verb} {workload.name} {' '.join(options)}")
    path = context.lines(workload)
    return command("-m", "groupwise", verb, str(path), *options).numbers
