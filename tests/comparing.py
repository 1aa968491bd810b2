"""Numbers that should be equal, or both be missing."""

import math
from fractions import Fraction

Number = Fraction | float | None


def agree(found: Number, expected: Number, *, within: float = 1e-12) -> bool:
    """Whether two values are the same up to rounding, or both are None."""
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=within, abs_tol=within)
