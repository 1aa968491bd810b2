"""Other spellings of what is asked, in Python and on the command line."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from groupwise import Report, evaluate
from tests.differential import writing
from tests.differential.data import Case
from tests.differential.ways.files import lines

ALIASES = {
    "precision": "P",
    "recall": "R",
    "hit_rate": "Success",
    "map": "AP",
    "mrr": "MRR",
    "ndcg": "nDCG",
    "complete": "Full_Recall",
}


def from_one_profile(case: Case, _: Path) -> Report:
    """The profile by its keyword, and metrics under their other names."""
    names = [
        replace(metric, name=ALIASES.get(metric.name, metric.name)).text.partition(":")[2]
        for metric in case.metrics
    ]
    options = {**writing.options_of(case), "metrics": names, "profile": case.metrics[0].profile}
    return evaluate(writing.truth_records(case), writing.run_records(case), **options)


def of_one_profile(case: Case) -> Case:
    profile = case.metrics[0].profile
    return case.asking(metric for metric in case.metrics if metric.profile == profile)


def from_command_line(case: Case, folder: Path) -> dict[str, Any]:
    truth, run = folder / "truth.jsonl", folder / "run.jsonl"
    truth.write_text(lines(writing.truth_records(case)), encoding="utf-8")
    run.write_text(lines(writing.run_records(case)), encoding="utf-8")
    policies = [f"--{name.replace('_', '-')}={value}" for name, value in case.policies.items()]
    metrics = [f"-m={metric.text}" for metric in case.metrics]
    command = [sys.executable, "-m", "groupwise", "evaluate", str(truth), str(run), "--format=json"]
    done = subprocess.run([*command, *policies, *metrics], capture_output=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report
