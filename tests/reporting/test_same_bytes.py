"""Every form of every kind of result: the same bytes in any order and with any hash seed."""

import os
import subprocess
import sys

from tests.paths import ROOT
from tests.reporting.subjects import ALL_FORMS, BUILDERS


def digest(order: str, seed: str) -> list[str]:
    command = [sys.executable, "-m", "tests.reporting.subjects", order]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.splitlines()


def test_forms_are_the_same_in_any_order_and_with_any_hash_seed() -> None:
    first, second = digest("forwards", "0"), digest("backwards", "4242")
    assert len(first) == len(ALL_FORMS) > 30
    assert [one for one, other in zip(first, second, strict=True) if one != other] == []


def test_every_kind_is_built() -> None:
    assert {kind for kind, _ in ALL_FORMS} == {*BUILDERS}
