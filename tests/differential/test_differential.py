"""A part of the differential run; `make differential` compares a million values and more."""

import os
import subprocess
import sys
from itertools import count

import pytest

from tests.differential.cases import draw_case
from tests.differential.ceilings import broken_ceilings
from tests.differential.crowded import check_crowded
from tests.differential.runner import run_cases
from tests.differential.tally import Tally
from tests.paths import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")


def assert_agreement(first_seed: int, values: int) -> Tally:
    tally = Tally()
    run_cases(count(first_seed), values, tally)
    assert not tally.classes, "\n".join(tally.wrong[:20])
    return tally


@pytest.mark.parametrize("first_seed", [0, 1_000_000])
def test_every_value_is_that_of_the_oracle(first_seed: int) -> None:
    assert assert_agreement(first_seed, 20_000).largest < 1e-12


@pytest.mark.nightly
def test_many_values_are_those_of_the_oracle() -> None:
    assert_agreement(2_000_000, 200_000)


@pytest.mark.parametrize("seed", range(40))
def test_ideal_rankings_of_groups_that_share_much(seed: int) -> None:
    assert list(check_crowded(seed)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_more_ideal_rankings_of_groups_that_share_much(seed: int) -> None:
    assert list(check_crowded(seed)) == []


@pytest.mark.parametrize("seed", range(30))
def test_ceilings_are_those_of_the_best_ranking(seed: int) -> None:
    assert list(broken_ceilings(draw_case(seed))) == []


@pytest.mark.skipif("GROUPWISE_PURE" in os.environ, reason="compares with the compiled part")
def test_the_compiled_part_changes_no_bit() -> None:
    digests = [_digest({}), _digest({"GROUPWISE_PURE": "1"})]
    assert digests[0] == digests[1]


def _digest(more: dict[str, str]) -> str:
    command = [sys.executable, "-m", "tests.differential", "--values=3000", "--once"]
    environment = {**os.environ, **more}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()[-1]
