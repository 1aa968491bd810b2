"""The evaluators, in the order of the columns; a module is imported when the peer is run."""

import importlib

from benchmarks.differences.model import Peer

_MODULES = ("ranx", "pytrec", "measures", "torch", "sklearn", "autorag", "ours")


def peers() -> list[Peer]:
    """All of them."""
    found: list[Peer] = []
    for name in _MODULES:
        found += importlib.import_module(f"benchmarks.differences.peers.{name}").PEERS
    return found
