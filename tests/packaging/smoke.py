"""Whether an installed wheel works, compiled or pure: ``python smoke.py compiled`` says so.

It needs nothing but the wheel, and runs anywhere: in an empty folder, without the repository.
"""

import importlib.util
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from groupwise import evaluate, hit_vector
from groupwise.evaluator.native import COMPILED

TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
EXPECTED = {"recall": 0.5, "map": 0.41666666666666663, "ndcg": 0.7039180890341347}
"""The running example; the values are AutoRAG's."""
PAIR = ("ground_truth.jsonl", "bm25.jsonl")
COMMANDS: list[tuple[tuple[str, ...], int, str]] = [
    (("--version",), 0, "groupwise "),
    (("demo",), 0, "0.7039"),
    (("demo", "--retrievers", "."), 0, "groupwise compare"),
    (("validate", PAIR[0], "--run", PAIR[1]), 0, "no findings in 2 files"),
    (("evaluate", *PAIR, "-m", "recall@10"), 0, "250 queries, 250 scored"),
    (("evaluate", *PAIR, "-m", "recall@10", "--gate", "recall@10 >= 1", "-q"), 1, "failed"),
    (("compare", *PAIR, "trigrams.jsonl", "-m", "recall@10"), 0, "bm25 is better than trigrams"),
    (("explain", *PAIR, "--worst", "1"), 0, "not retrieved"),
    (("evaluate", "missing.json"), 3, ""),
]
"""What is typed in an empty folder, how it ends, and a part of what it prints."""
HTML = ("evaluate", *PAIR, "-m", "recall@10", "-o", "report.html")


def type_command(folder: str, *words: str) -> tuple[int, str]:
    """Return the exit code of a command, and what it prints."""
    command = [sys.executable, "-I", "-X", "utf8", "-m", "groupwise", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def check_commands(folder: str) -> None:
    """Type the commands; exit with what one said if it is not as expected."""
    for words, code, part in COMMANDS:
        found, said = type_command(folder, *words)
        if found != code or part not in said or "Traceback" in said:
            sys.exit(f"groupwise {' '.join(words)} ended with {found}, expected {code}:\n{said}")


def check_page(folder: str) -> str:
    """Write a report as a page, or be told which extra it needs."""
    code, said = type_command(folder, *HTML)
    page = Path(folder) / "report.html"
    if importlib.util.find_spec("jinja2") is None:
        if "jinja2" not in said or "Traceback" in said or page.exists():
            sys.exit(f"expected to be told that a page needs jinja2, got {code}:\n{said}")
        return "told what a page needs"
    if code or "250 queries" not in page.read_text("utf-8"):
        sys.exit(f"no page was written, exit code {code}:\n{said}")
    return "a page"


def score(_number: int) -> dict[str, float | None]:
    """Return the scores of the running example."""
    return dict(evaluate({"q": TRUTH}, {"q": RESULTS}, metrics=list(EXPECTED)).scores)


def main(kind: str) -> None:
    """Evaluate, also from eight threads at once, and type commands in an empty folder.

    Exits with a message if anything is wrong.
    """
    if COMPILED is not (kind == "compiled"):
        sys.exit(f"expected the {kind} walk over ids, but COMPILED is {COMPILED}")
    if hit_vector(TRUTH, RESULTS) != [1, 0, 1, 0]:
        sys.exit("the hit vector is wrong")
    with ThreadPoolExecutor(8) as threads:
        if any(found != EXPECTED for found in threads.map(score, range(64))):
            sys.exit("scores are wrong")
    with tempfile.TemporaryDirectory() as folder:
        check_commands(folder)
        page = check_page(folder)
    is_locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    sys.stdout.write(
        f"{sys.implementation.cache_tag}: {kind}, GIL {is_locked}, {page}, all as expected\n"
    )


if __name__ == "__main__":
    main(sys.argv[1])
