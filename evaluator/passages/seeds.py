"""Runs of letters and their places in a corpus, in sorted columns.

Every fourth run of eight letters of the corpus is kept. All runs of a text are looked up; so
whatever the text and the corpus share from eleven letters on has a seed.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.hits.arrays import BoolArray, IntArray, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
else:
    Codes = Any

LENGTH = 8
"""The letters of a run."""
STEP = 4
"""The distance of runs that are kept."""
SHORTEST = LENGTH + STEP - 1
"""What is shared has a seed if it is at least so long."""
FACTOR = 0x9E3779B1
HALF = 32
BLOCK = 1 << 20
"""How many letters are hashed at once."""


class SeedColumns(NamedTuple):
    """The hashes of runs, sorted, and the place of each."""

    hashes: Codes
    places: Codes

    def look_up(self, codes: Codes) -> tuple[IntArray, IntArray]:
        """Return where the runs that begin at each letter of a text stand: from, and how many."""
        hashes = hash_runs(codes, 1)
        first = np.searchsorted(self.hashes, hashes, "left")
        return first, np.searchsorted(self.hashes, hashes, "right") - first

    def expand(self, first: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
        """Return the places of several runs, and the number of the run for each."""
        total = int(counts.sum())
        skipped = np.repeat(first - (np.cumsum(counts) - counts), counts)
        places = self.places[np.arange(total) + skipped].astype(np.int64)
        return places, np.repeat(np.arange(len(counts)), counts)


def encode(text: str) -> Codes:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def hash_runs(codes: Codes, step: int) -> Codes:
    """Return the hash of the run at every ``step``-th letter."""
    count = max(0, -(-(len(codes) - LENGTH + 1) // step))
    hashes = np.zeros(count, np.uint32)
    for shift in range(LENGTH):
        hashes *= np.uint32(FACTOR)
        hashes += codes[shift::step][:count]
    return hashes


def build_seeds(text: str) -> SeedColumns:
    """Return every fourth run of texts that are joined by breaks."""
    packed = np.empty(len(text) // STEP + 1, "<u8")
    count = 0
    for offset in range(0, len(text), BLOCK):
        seeds = _pack_seeds(text[offset : offset + BLOCK + LENGTH], offset)
        packed[count : count + len(seeds)] = seeds
        count += len(seeds)
    packed = packed[:count]
    packed.sort()
    halves = packed.view("<u4")
    return SeedColumns(halves[1::2].copy(), halves[::2].copy())


def _pack_seeds(text: str, offset: int) -> Any:
    """Return hash and place of every fourth run within a text, each in a half of a number."""
    codes = encode(text)
    hashes = hash_runs(codes, STEP)[: BLOCK // STEP]
    starts = np.arange(len(hashes)) * STEP
    chosen = _find_within(codes, starts)
    packed = hashes[chosen].astype(np.uint64) << np.uint64(HALF)
    return packed | (starts[chosen] + offset).astype(np.uint64)


def _find_within(codes: Codes, starts: IntArray) -> BoolArray:
    """Return which runs have no break between two texts in them."""
    breaks = np.append(np.flatnonzero(codes == 0), len(codes) + LENGTH)
    following = breaks[np.searchsorted(breaks, starts)]
    is_within: BoolArray = following >= starts + LENGTH
    return is_within
