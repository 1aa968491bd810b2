"""The section "A million queries": 1,000,000 x 100 through the command line, once."""

import subprocess
import sys

from benchmarks.context import Context
from benchmarks.memory import MEANS_ONLY
from benchmarks.processes import command
from benchmarks.store import Store
from benchmarks.worker import Numbers
from benchmarks.workloads import Workload

HUGE = Workload(1_000_000, 100)
QUICK_HUGE = Workload(2_000, 100)
JOBS = (1, 2)


def measure_scale(store: Store, context: Context) -> None:
    """Evaluate and validate the file with one process and with two, if there is such an option."""
    workload = QUICK_HUGE if context.quick else HUGE
    store.keep("workload", lambda: [workload.queries, workload.results])
    store.keep("file", lambda: [context.lines(workload).stat().st_size])
    for verb, options in (("evaluate", MEANS_ONLY), ("validate", ())):
        for jobs in JOBS if has_jobs(verb) else JOBS[:1]:
            more = ("--jobs", str(jobs)) if has_jobs(verb) else ()
            key = f"{verb}, {jobs} {'job' if jobs == 1 else 'jobs'}"
            store.keep(key, _measure, verb, (*options, *more), workload, context)
    if not context.quick:
        context.lines(workload).unlink()


def has_jobs(verb: str) -> bool:
    """Whether a command of groupwise takes `--jobs`."""
    words = [sys.executable, "-m", "groupwise", verb, "--help"]
    return b"--jobs" in subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout


def _measure(verb: str, options: tuple[str, ...], workload: Workload, context: Context) -> Numbers:
    context.say(f"{verb} {workload.name} {' '.join(options)}")
    path = context.lines(workload)
    return command("-m", "groupwise", verb, str(path), *options).numbers
