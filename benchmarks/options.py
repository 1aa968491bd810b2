"""What the smaller benchmarks are told on the command line."""

from argparse import ArgumentParser


def parser_of(name: str, description: str | None) -> ArgumentParser:
    """The parser of a benchmark that is repeated for some rounds."""
    parser = ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    return parser
