"""All resamples or signs at once."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def draw_all(
    draw: Callable[[int, int, int, int], Iterator[Floats]], queries: int, times: int, seed: int
) -> Floats:
    """What is drawn block by block, in one."""
    return np.concatenate([block.copy() for block in draw(queries, times, seed, 64)])
