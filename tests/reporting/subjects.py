"""A result of each kind that has forms, all made of one text: in ids, names, labels, metadata."""

import json
import sys
from collections.abc import Callable
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from groupwise import compare, evaluate, explain, inspect, power, remap, validate
from groupwise.evaluator.evaluation.checked_files import CheckedFile
from groupwise.evaluator.evaluation.fixture import check_fixture
from groupwise.evaluator.reporting.checks import CHECK_FORMS
from groupwise.evaluator.reporting.forms import Form, Forms, Kind, find_forms

COUNT = 7


def ground_truth(text: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{text}{i}",
            "query": text,
            "ground_truth": [
                {"alternatives": [f"{text}a{i}", f"b{i}"], "label": text},
                {"alternatives": [f"c{i}"], "label": f"{text}{i % 2}"},
            ],
            "metadata": {text: f"{text}{i % 3}"},
        }
        for i in range(COUNT)
    ]


def run(text: str, shift: int = 0) -> dict[str, list[str]]:
    return {
        f"{text}{i}": [f"{text}x", f"{text}A{i}", *([f"b{i}"] if (i + shift) % 3 else []), f"c{i}"]
        for i in range(COUNT - 1)
    }


def in_order(records: Any, *, backwards: bool) -> Any:
    if not backwards:
        return records
    return dict(reversed(records.items())) if isinstance(records, dict) else records[::-1]


def build_report(text: str, *, backwards: bool = False) -> Any:
    return evaluate(
        in_order(ground_truth(text), backwards=backwards),
        in_order(run(text), backwards=backwards),
        profile="coverage", metrics=["recall@2", "ndcg", "first_hit"], by=text, curve=4, explain=3,
        confidence=0.95, ceilings=True, bands=True, ties="report",
        gates=["recall@2 >= 0.9", "ndcg >= 0"],
    )  # fmt: skip


def build_comparison(text: str, *, backwards: bool = False) -> Any:
    runs = {text: run(text), f"{text}2": run(text, 1), f"{text}3": run(text, 2)}
    runs = {name: in_order(one, backwards=backwards) for name, one in runs.items()}
    return compare(
        in_order(ground_truth(text), backwards=backwards), in_order(runs, backwards=backwards),
        metrics=["recall@2", "ndcg"], baseline=text, by=text, permutations=50,
    )  # fmt: skip


def build_explanation(text: str, *, backwards: bool = False) -> Any:
    truth = in_order(ground_truth(text), backwards=backwards)
    return explain(truth, in_order(run(text), backwards=backwards), k=2, by=text)


def build_power(text: str, *, backwards: bool = False) -> Any:
    truth = in_order(ground_truth(text), backwards=backwards)
    runs = {
        name: in_order(run(text, shift), backwards=backwards)
        for shift, name in enumerate((text, "b"))
    }
    return power(truth, runs, metrics=["recall@2", "ndcg"], difference=0.1)


def build_remap(text: str, *, backwards: bool = False) -> Any:
    """Some alternatives that move, some that are in two places, some that are lost."""
    old = [{"id": f"{text}a{i}", "text": f"The chunk number {i} says this."} for i in range(COUNT)]
    old += [{"id": f"b{i}", "text": f"Everybody says what {text} says."} for i in range(COUNT)]
    new = [{**chunk, "id": f"{chunk['id']}{text}", "document": chunk["id"]} for chunk in old]
    truth = in_order(ground_truth(text), backwards=backwards)
    old, new = (in_order(chunks, backwards=backwards) for chunks in (old, new))
    return remap(truth, old=old, new=new, lossy=True)


def build_findings(text: str, *, backwards: bool = False) -> Any:
    records = ground_truth(text)
    records[0]["ground_truth"] = [[f"{text}a", f"{text}a"], []]
    return validate(records, select=["GT004", "GT007"])


def build_inspection(text: str, *, backwards: bool = False) -> Any:
    with TemporaryDirectory() as folder, chdir(folder):
        path = Path("data.json")
        record = {"id": text, "gold": [text], "found": [text], text: text}
        path.write_text(json.dumps([record] * 2), "utf-8")
        return inspect(path)


def build_checks(text: str, *, backwards: bool = False) -> Any:
    queries = [
        {**record, "results": run(text).get(record["id"], []), "expected": {"recall": 0.25}}
        for record in ground_truth(text)
    ]
    fixture = {"name": text, "queries": in_order(queries, backwards=backwards)}
    name = f"{text}.json".replace("/", "-")
    with TemporaryDirectory() as folder, chdir(folder):
        path = Path("fixture.json")
        path.write_text(json.dumps(fixture), "utf-8")
        return [CheckedFile(name, "failed", check=check_fixture(path))]


BUILDERS: dict[str, Callable[..., Any]] = {
    "report": build_report, "comparison": build_comparison, "explanation": build_explanation,
    "power": build_power, "findings": build_findings, "inspection": build_inspection,
    "checks": build_checks, "remap": build_remap,
}  # fmt: skip


def forms_of(kind: str) -> Forms[Any]:
    return CHECK_FORMS if kind == "checks" else find_forms(kind)


ALL_FORMS: list[tuple[str, Form[Any]]] = [
    (kind, form)
    for kind in (*get_args(Kind), "checks")
    for form in forms_of(kind).built_in.values()
]
IDS = [f"{kind}-{form.name}" for kind, form in ALL_FORMS]


def render(subject: Any, kind: str, form: Form[Any]) -> str | bytes:
    return forms_of(kind).render(subject, form)


def main() -> None:
    """Print a line per form: what it is of, its name, and a digest of what it renders."""
    backwards = sys.argv[1] == "backwards"
    subjects = {kind: build("q", backwards=backwards) for kind, build in BUILDERS.items()}
    for kind, form in ALL_FORMS:
        rendered = render(subjects[kind], kind, form)
        data = rendered.encode() if isinstance(rendered, str) else rendered
        print(kind, form.name, sha256(data).hexdigest())


if __name__ == "__main__":
    main()
