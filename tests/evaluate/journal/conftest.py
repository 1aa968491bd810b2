"""What tests of journals share: small blocks of lines, and an entry for each."""

import os

import pytest

from groupwise.evaluator.evaluation.journal import pace, parts
from groupwise.evaluator.reading import jsonl, lines


@pytest.fixture(autouse=True)
def _write_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry is due at once, a few records fill a block, and nobody waits for the disk."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    monkeypatch.setattr(pace, "SHORTEST", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    monkeypatch.setattr(parts, "QUERIES_AT_ONCE", 7)
    monkeypatch.setattr(parts, "SLOW_QUERIES_AT_ONCE", 7)
    monkeypatch.setattr(lines, "BLOCK_BYTES", 1 << 12)
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 1 << 12)
    monkeypatch.setattr(jsonl, "PACKED_BYTES", 1 << 12)
