"""Read options: what a call says about a file."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

Record: TypeAlias = Mapping[str, Any]
Role: TypeAlias = Literal["ground_truth", "run", "corpus"]
EVERY_ROLE: frozenset[Role] = frozenset(get_args(Role))
ROLE_NAMES: Mapping[Role, str] = {
    "ground_truth": "ground truth",
    "run": "results",
    "corpus": "documents",
}
"""What a file in each role holds, for messages."""
CORPUS = (
    "these are documents (a corpus), not {expected}; give them as corpus=…, beside the ground truth"
)
NO_FIELDS: Mapping[str, str] = {}


class Options(NamedTuple):
    """How to read a file that can be read in several ways.

    Attributes:
        format: The name of its format; None detects it.
        fields: The path to each field in records of any shape.
        subtopics: TREC qrels have the group in their second column.
        cnf: Expand evidence that is an OR of ANDs.
        role: What the file holds; None detects it.
        max_bytes: The limit of what compressed data may decompress to.
        by_text: Results will be matched by text: an alternative is a text, not what holds it.
        max_record_bytes: The limit for a line, a row or a record.
        texts: Read also what matching by id does not need: texts, and all columns of a corpus.
    """

    format: str | None = None
    fields: Mapping[str, str] = NO_FIELDS
    subtopics: bool = False
    cnf: bool = False
    role: Role | None = None
    max_bytes: int | None = None
    max_record_bytes: int | None = None
    texts: bool = False
    by_text: bool = False


AS_IT_IS = Options()
AUTO: Literal["auto"] = "auto"
"""In place of a map: the one that an inspection proposes."""
