"""What a reading finds out about a source, and all sources of a validation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.tally import Rankings, Tally

if TYPE_CHECKING:
    from groupwise.evaluator.intake.documents import Documents
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey


@dataclass
class SourceFacts:
    """The facts of one source, complete when it has been read.

    Attributes:
        name: The source, for messages.
        request: What the validation was asked for, with the cutoff of this source.
        tally: Counts and hashes of the ground truth.
        rankings: Counts of the rankings.
        head: The head of a fixture.
        head_places: Line and column of each key of the head.
        is_run: Whether it holds results without ground truth.
        has_records: Whether it holds any record.
        has_byte_order_mark: Whether its text begins with one.
        has_hit: Whether any result is an id of the ground truth.
        is_sound: Whether all of it could be read.
    """

    name: str
    request: Request
    tally: Tally = field(default_factory=Tally)
    rankings: Rankings = field(default_factory=Rankings)
    head: dict[str, Any] = field(default_factory=dict)
    head_places: dict[str, tuple[int, int]] = field(default_factory=dict)
    is_run: bool = False
    has_records: bool = False
    has_byte_order_mark: bool = False
    has_hit: bool = False
    is_sound: bool = True


@dataclass
class Session:
    """All that a validation looks at.

    Attributes:
        request: What the validation was asked for.
        data: The data sets, in the order given.
        run: The results beside them.
        corpus: The documents, open for another reading.
        survey: The corpus as compared with the ids of the data sets.
        scored: How many queries can be scored.
        bounds: By metric, what no ranking exceeds on these data.
    """

    request: Request
    data: list[SourceFacts] = field(default_factory=list)
    run: SourceFacts | None = None
    corpus: "Documents | None" = None
    survey: "CorpusSurvey | None" = None
    scored: int = 0
    bounds: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def sources(self) -> list[SourceFacts]:
        """The data sets and the run."""
        return [*self.data, *([self.run] if self.run else [])]

    @property
    def name(self) -> str:
        """The name of the first source, for findings about all of them."""
        return self.sources[0].name if self.sources else ""
