"""A comparison as a JSON object."""

from groupwise.evaluator.reading.writing import dump_line
from groupwise.schemas.comparison import Comparison


def render(comparison: Comparison) -> str:
    """Return the object on one line."""
    return f"{dump_line(comparison.to_dict())}\n"
