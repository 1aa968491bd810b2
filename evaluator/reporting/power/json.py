"""An analysis of power as a JSON object."""

from groupwise.evaluator.reading.writing import dump_line
from groupwise.schemas.power import PowerAnalysis


def render(analysis: PowerAnalysis) -> str:
    """Return the object on one line."""
    return f"{dump_line(analysis.to_dict())}\n"
