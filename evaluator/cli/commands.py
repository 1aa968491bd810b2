"""The commands: what each does, and where it is; nothing is imported before it is called."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Main = Callable[[Sequence[str]], int]


@dataclass(frozen=True)
class Command:
    """A command: a line for the front page, and a function that imports its ``main``."""

    summary: str
    load: Callable[[], Main]


def _load_evaluate() -> Main:
    from groupwise.evaluator.cli.evaluate import main  # noqa: PLC0415

    return main


def _load_check() -> Main:
    from groupwise.evaluator.cli.check import main  # noqa: PLC0415

    return main


def _load_validate() -> Main:
    from groupwise.evaluator.cli.validate import main  # noqa: PLC0415

    return main


def _load_rule() -> Main:
    from groupwise.evaluator.cli.rule import main  # noqa: PLC0415

    return main


def _load_fingerprint() -> Main:
    from groupwise.evaluator.cli.fingerprint import main  # noqa: PLC0415

    return main


def _load_convert() -> Main:
    from groupwise.evaluator.cli.convert import main  # noqa: PLC0415

    return main


def _load_metrics() -> Main:
    from groupwise.evaluator.cli.metrics import main  # noqa: PLC0415

    return main


def _load_demo() -> Main:
    from groupwise.evaluator.cli.demo import main  # noqa: PLC0415

    return main


COMMANDS = {
    "evaluate": Command("score results against grouped ground truth", _load_evaluate),
    "check": Command("compare fixtures with the scores they expect", _load_check),
    "validate": Command("find errors in ground truth, run and corpus", _load_validate),
    "rule": Command("explain a finding of validate, and how to fix it", _load_rule),
    "fingerprint": Command("record in a data set which corpus it was judged on", _load_fingerprint),
    "convert": Command("convert data from one format to another", _load_convert),
    "metrics": Command("list the metrics, or explain one of them", _load_metrics),
    "demo": Command("the whole idea on one screen", _load_demo),
}
