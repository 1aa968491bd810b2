"""The walk over ids, which is done for every result there is: compiled where it could be built.

``GROUPWISE_PURE=1`` leaves the compiled one aside, in case somebody doubts it.
"""

import os

__all__ = [
    "COMPILED",
    "are_flat",
    "are_plain_texts",
    "are_rankings",
    "are_truths",
    "clean_hashes",
    "clean_truths",
    "ends_of_keys",
    "keys_within",
    "matched",
    "matched_texts",
    "string_lists",
    "strings",
    "text_hashes",
]

PURE = os.environ.get("GROUPWISE_PURE", "0") not in ("", "0")

try:
    if PURE:
        raise ImportError  # noqa: TRY301  (as if it had not been built)
    from groupwise.evaluator._walk import (
        are_flat,
        are_plain_texts,
        are_rankings,
        are_truths,
        clean_hashes,
        clean_truths,
        ends_of_keys,
        keys_within,
        matched,
        matched_texts,
        string_lists,
        strings,
        text_hashes,
    )
except ImportError:
    from groupwise.evaluator.unaided import (
        are_flat,
        are_plain_texts,
        are_rankings,
        are_truths,
        clean_hashes,
        clean_truths,
        ends_of_keys,
        keys_within,
        matched,
        matched_texts,
        string_lists,
        strings,
        text_hashes,
    )

COMPILED = are_rankings.__module__ == "groupwise.evaluator._walk"
