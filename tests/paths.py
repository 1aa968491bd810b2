"""Where the fixtures are."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
EXAMPLES = FIXTURES / "examples"
INVALID = FIXTURES / "invalid"
AUTORAG = FIXTURES / "conformance" / "autorag"
