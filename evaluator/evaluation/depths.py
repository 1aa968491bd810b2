"""How many results would meet a share of all groups."""

from groupwise.evaluator.hits import IntArray
from groupwise.evaluator.hits.arrays import np

SHARES = {"0.5": 50, "0.9": 90, "0.95": 95, "0.99": 99}
"""The shares of groups, as reports write them, in per cent."""


def find_depths(first_ranks: IntArray) -> dict[str, int | None]:
    """Return the smallest k that meets each share of the groups; None where none does.

    Args:
        first_ranks: The rank at which each group is first met; 0 for a group that never is.
    """
    met = np.sort(first_ranks[first_ranks > 0])
    return {share: _find_depth(met, len(first_ranks), part) for share, part in SHARES.items()}


def _find_depth(met: IntArray, groups: int, percent: int) -> int | None:
    needed = -(-percent * groups // 100)
    return int(met[needed - 1]) if 0 < needed <= len(met) else None
