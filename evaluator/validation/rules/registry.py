"""One declaration per rule: from it come messages, ``groupwise rule``, docs and SARIF."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

FAMILIES = {
    "IO": "the text and its shape",
    "GT": "the ground truth",
    "CP": "ground truth beside the corpus (--corpus)",
    "RN": "results, and ground truth beside them (--run)",
    "ST": "gates (--gate)",
}
"""What the first letters of a code stand for."""


@dataclass(frozen=True)
class Rule:
    """A rule and all there is to say of it."""

    code: str
    name: str
    severity: Literal["error", "warning", "info"]
    what: str
    why: str
    example: str
    instead: str
    fix: str = ""
    fixable: Literal["safe", "unsafe"] | None = None

    @property
    def family(self) -> str:
        """The letters of the code."""
        return self.code.rstrip("0123456789")

    @property
    def page(self) -> str:
        """The anchor of the rule in the generated reference page."""
        return f"docs/reference/rules.md#{self.code.lower()}-{self.name}"


@cache
def every_rule() -> dict[str, Rule]:
    """All rules by code, in the order of the reference page."""
    from groupwise.evaluator.validation.rules import (  # noqa: PLC0415  (they declare with Rule)
        corpus_rules,
        gate_rules,
        run_rules,
        text_rules,
        truth_rules,
    )

    families = (text_rules, truth_rules, corpus_rules, run_rules, gate_rules)
    return {rule.code: rule for family in families for rule in family.RULES}
