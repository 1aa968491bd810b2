"""Where the fixtures are."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
EXAMPLES = FIXTURES / "examples"
RETRIEVERS = EXAMPLES / "retrievers"
EDGE_CASES = FIXTURES / "edge-cases"
INVALID = FIXTURES / "invalid"
CONFORMANCE = FIXTURES / "conformance"
AUTORAG = CONFORMANCE / "autorag"
TREC = CONFORMANCE / "trec"
TREC_EVAL = CONFORMANCE / "trec_eval"
ROBUST03 = CONFORMANCE / "robust03"
NDEVAL = CONFORMANCE / "ndeval"
STATISTICS = CONFORMANCE / "statistics"
PARQUET = FIXTURES / "formats" / "parquet"
