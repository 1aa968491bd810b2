"""The nearest name is the one that difflib finds, also where it is not asked."""

from difflib import get_close_matches

from hypothesis import given
from hypothesis import strategies as st

from groupwise.schemas.values import find_nearest

KNOWN = ["id", "qid", "query_id", "ground_truth", "results", "answerable", "metadata", "é"]
LETTERS = st.text("abdeghilnoqrstuy_É1", max_size=14)


@st.composite
def misspelt(draw: st.DrawFn) -> str:
    """A known name with some letters replaced, in either case."""
    name = draw(st.sampled_from(KNOWN))
    place = draw(st.integers(0, len(name)))
    changed = name[:place] + draw(LETTERS) + name[place + draw(st.integers(0, 5)) :]
    return changed.upper() if draw(st.booleans()) else changed


@given(LETTERS | misspelt(), st.lists(st.sampled_from(KNOWN), unique=True))
def test_the_nearest_name_is_that_of_difflib(name: str, known: list[str]) -> None:
    assert find_nearest(name, known) == next(iter(get_close_matches(name.lower(), known, 1)), None)
