"""No figure of the project exceeds its budget, in tests/budgets.toml."""

import sys

from tests.budgets import compare


def test_no_figure_exceeds_its_budget() -> None:
    figures = list(compare())
    print("lower: python -m tests.budgets --lower, by:")
    print(*(f"{table} {name} {budget - figure}" for table, name, figure, budget in figures))
    exceeded = {
        f"{table} {name}": f"{figure}, allowed are {budget}"
        for table, name, figure, budget in figures
        if figure > budget and (table != "run" or sys.version_info[:2] == (3, 11))
    }
    assert exceeded == {}
