"""The same bits with any number of threads, whatever the linear algebra library does."""

import json
import os
import subprocess
import sys

import pytest

from groupwise.evaluator.statistics.products import LARGEST_PIECE

SCRIPT = """
import json, sys
from itertools import combinations
import numpy as np
from groupwise.evaluator.statistics import paired, products, tukey
from groupwise.evaluator.statistics.intervals import estimate_all

products.LARGEST_PIECE = int(sys.argv[1])

values = np.random.default_rng(0).random((4, 12, 700)) / 3
pairs = [*combinations(range(12), 2)]
found = estimate_all(values, pairs, resamples=600)
json.dump(
    [
        found.runs,
        found.pairs,
        [outcome.p_values for outcome in paired.test_pairs_of_metrics(values, pairs)],
        [[*p.values()] for p in tukey.randomised_tukey_of_metrics(values, permutations=100)],
    ],
    sys.stdout,
)
"""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def run_with(piece: int, **variables: str) -> object:
    command = [sys.executable, "-c", SCRIPT, str(piece)]
    environment = {**os.environ, **variables}
    return json.loads(
        subprocess.run(command, env=environment, check=True, capture_output=True).stdout
    )


@pytest.mark.nightly
def test_threads_and_kernels_change_nothing() -> None:
    one = run_with(LARGEST_PIECE, **dict.fromkeys(THREADS, "1"))
    assert run_with(1 << 40, **dict.fromkeys(THREADS, "4")) == one
    assert run_with(5000, OPENBLAS_CORETYPE="Sandybridge", PYTHONHASHSEED="5") == one
