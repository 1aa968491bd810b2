"""Who computes: groupwise and its peers, each behind the same two steps, build and evaluate."""

from benchmarks.engines.registry import ENGINES, Engine, MissingPeerError, load

__all__ = ["ENGINES", "Engine", "MissingPeerError", "load"]
