"""Types of arguments: text of the command line to values, or an error that says what it may be."""

from argparse import ArgumentTypeError

from groupwise.evaluator.statistics.gates import Gate, parse_gate

LONGEST_NUMBER = 18


def split_names(text: str) -> list[str]:
    """Return the names between commas; a comma within parentheses separates parameters."""
    depth, names = 0, [""]
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += sign
    if not all(map(str.strip, names)):
        raise ArgumentTypeError(
            f"{text!r} has an empty name; expected names such as recall,ndcg@10"
        )
    return [name.strip() for name in names]


def parse_cutoffs(text: str) -> list[int]:
    """Return the whole numbers, from 1 on, between commas."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise _refuse_cutoffs(text)
    cutoffs = [int(part[:LONGEST_NUMBER]) for part in parts]
    if not all(cutoffs):
        raise _refuse_cutoffs(text)
    return cutoffs


def _refuse_cutoffs(text: str) -> ArgumentTypeError:
    return ArgumentTypeError(f"{text!r}; expected whole numbers from 1 on, such as 1,3,5,10")


def parse_count(text: str) -> int:
    """Return a whole number from 1 on."""
    first, *others = parse_cutoffs(text)
    if others:
        raise ArgumentTypeError(f"{text!r}; expected one whole number, such as 20")
    return first


def parse_positive(text: str) -> float:
    """Return a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"{text!r}; expected a number above 0, such as 4")
    return value


def parse_setting(text: str) -> tuple[str, str]:
    """Return the name and the value of ``NAME=VALUE``."""
    name, sign, value = text.partition("=")
    if not (name.strip() and sign):
        raise ArgumentTypeError(f"{text!r}; expected NAME=VALUE, such as threshold=0.5")
    return name.strip(), value.strip()


def read_gate(text: str) -> Gate:
    """Return the gate that a text such as ``recall@5>=0.8`` spells."""
    try:
        return parse_gate(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
