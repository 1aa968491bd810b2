"""The page: its template is rendered while its commands run."""

from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from groupwise import Dataset, Query, Report, evaluate
from showcase.chunks import CHUNKINGS
from showcase.console import Console, Say
from showcase.data import QUESTIONS, cripple, prepare
from showcase.findings import Findings
from showcase.retrievers import DEPTH, RETRIEVERS

TEMPLATE = "page.md.jinja"
METRICS = ("recall@10", "recall@1000t")
BEST, CHUNKS = "bm25-large.jsonl", "chunks-large.jsonl"
BROKEN, BROKEN_SLICE, CRIPPLED = "broken.jsonl", "chatlogs", "crippled.jsonl"
GROUND_TRUTH, COMPARISON = "ground_truth.jsonl", "comparison.json"
FIELD = "corpus_id"


def tell(folder: Path, say: Say) -> str:
    """Run the whole story in a folder, and return its page."""
    say("cutting five corpora into chunks of two sizes; three retrievers answer 472 questions …\n")
    chunks = prepare(folder)
    story = Story(Console(folder, say))
    environment = Environment(  # noqa: S701  (Markdown, not HTML)
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(TEMPLATE).render(
        story=story,
        findings=story.compare_runs(),
        questions=list(story.questions),
        several=sum(len(question.ground_truth.groups) > 1 for question in story.questions),
        chunkings=CHUNKINGS,
        chunks=chunks,
        depth=DEPTH,
        at_k=METRICS[0],
        at_budget=METRICS[1],
    )


def spell_comparison() -> str:
    """Return the command that compares the six runs, each with its own chunks."""
    runs = [f"{retriever}-{name}" for name in CHUNKINGS for retriever in RETRIEVERS]
    corpora = [f"--corpus {run}=chunks-{run.partition('-')[2]}.jsonl" for run in runs]
    lines = [
        f"groupwise compare {GROUND_TRUTH} {' '.join(f'{run}.jsonl' for run in runs)}",
        f"--match span --profile coverage -m {','.join(METRICS)} --characters-per-token 4",
        *(" ".join(corpora[at : at + 3]) for at in range(0, len(corpora), 3)),
    ]
    return " \\\n    ".join(lines)


class Story:
    """What the template does, other than asking for findings."""

    def __init__(self, console: Console) -> None:
        self.run = console.run
        self.comparison = spell_comparison()
        self._console = console
        self._steps = count(1)

    def begin_step(self, title: str) -> str:
        """Return the heading of the next step, and announce it."""
        heading = f"{next(self._steps)}. {title}"
        self._console.say(f"{heading}\n")
        return f"## {heading}"

    def compare_runs(self) -> Findings:
        """Compare the six runs, for the numbers in the text of the page."""
        self._console.print_output(f"groupwise convert {QUESTIONS} {GROUND_TRUTH}")
        self._console.print_output(f"{self.comparison} -q -o {COMPARISON}")
        return Findings.read(self._console.folder / COMPARISON)

    def draw_comparison(self) -> str:
        """Write the page that compares the six runs; it has no place in the text."""
        self._console.print_output(f"{self.comparison} -q -o comparison.html")
        return ""

    @cached_property
    def questions(self) -> Dataset:
        """The questions with their ground truth."""
        return Dataset.load(self._console.folder / GROUND_TRUTH)

    def find_weakest_slice(self) -> tuple[str, float]:
        """Return the corpus on which the best run has the lowest recall, and this recall."""
        slices = self._evaluate(BEST).slices[FIELD]
        scores = {name: part.scores[METRICS[0]] or 0.0 for name, part in slices.items()}
        return min(scores.items(), key=lambda item: item[1])

    def break_slice(self) -> str:
        """Write a run that has lost the first result of each question about one corpus."""
        about = {str(each.id) for each in self.questions if _is_about(each, BROKEN_SLICE)}
        self._cripple(BROKEN, about)
        return ""

    def count_failing_gates(self) -> int:
        """Return how many gates fail if every question loses its first result."""
        self._cripple(CRIPPLED)
        bound = f"{METRICS[0]} >= baseline - 0.05"
        slices = [f"{FIELD}={name}: {bound}" for name in self._evaluate(BEST).slices[FIELD]]
        baseline = self._console.folder / "baseline.json"
        report = self._evaluate(CRIPPLED, baseline=baseline, gates=[bound, *slices])
        return sum(not gate.passed for gate in report.gates)

    def _cripple(self, target: str, questions: set[str] | None = None) -> None:
        folder = self._console.folder
        cripple(folder / BEST, folder / target, questions)

    def _evaluate(self, run: str, **options: Any) -> Report:
        folder = self._console.folder
        return evaluate(
            folder / GROUND_TRUTH, folder / run,
            matching="span", corpus=folder / CHUNKS, profile="coverage", metrics=METRICS[0],
            by=FIELD, **options,
        )  # fmt: skip


def _is_about(question: Query, corpus: str) -> bool:
    return (question.metadata or {}).get(FIELD) == corpus
