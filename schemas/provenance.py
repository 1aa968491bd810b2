"""Where a report comes from: version, inputs, policies, matching; no times, no paths."""

from typing import Annotated, Any, Literal

from pydantic import Field

from groupwise.schemas.binding import find_version
from groupwise.schemas.policies import Policies
from groupwise.schemas.shape import Shape


class Input(Shape):
    """What was evaluated: a file by its base name, or objects, which have none.

    A fixture is listed in both of its roles. A corpus is listed if the ground truth records the
    fingerprint of the one that it was judged on; and, without a fingerprint, if ids were looked up
    in it: what was found is part of the fingerprints of ground truth and run.
    """

    role: Literal["ground_truth", "run", "corpus"]
    name: str | None = None
    fingerprint: str | None = Field(
        default=None, description="Of the content, whatever the order of its records."
    )


class Provenance(Shape):
    """The version of groupwise, the inputs, the policies, and how results met groups."""

    groupwise: str = Field(default_factory=find_version)
    inputs: Annotated[tuple[Input, ...], Field(strict=False)] = ()
    policies: Policies = Policies.model_construct()
    matching: dict[str, Any] = Field(default_factory=dict)

    def fingerprint(self, role: str) -> str | None:
        """Return the fingerprint of the input in a role; None if it is not known."""
        return next((given.fingerprint for given in self.inputs if given.role == role), None)
