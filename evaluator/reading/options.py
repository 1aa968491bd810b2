"""Read options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Role: TypeAlias = Literal["ground_truth", "run", "corpus"]
ROLE_NAMES: Mapping[str, str] = {
    "ground_truth": "ground truth",
    "run": "results",
    "corpus": "documents",
}
"""What a file in each role holds, for messages."""
Record: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Options:
    """What a call says of a file: how to read what can be read in several ways."""

    format: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    subtopics: bool = False
    cnf: bool = False
    role: Role | None = None
    max_bytes: int | None = None
    texts: bool = False


AS_IT_IS = Options()
