"""`python -m fuzz walk`, `files` or `inputs`, with --help for the rest."""

import sys
from importlib import import_module

FUZZERS = ("files", "guided", "inputs", "large", "soak", "walk")


def main() -> int:
    """Run the fuzzer named first."""
    name, *arguments = sys.argv[1:] or [""]
    if name not in FUZZERS:
        print(f"expected one of: {', '.join(FUZZERS)}", file=sys.stderr)
        return 2
    return int(import_module(f"fuzz.{name}").main(arguments))


if __name__ == "__main__":
    sys.exit(main())
