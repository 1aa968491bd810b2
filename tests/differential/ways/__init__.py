"""The ways into an evaluation. Each takes what it can express, and all must give one report."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groupwise import Report
from tests.differential.data import Case
from tests.differential.ways import (
    files,
    fitting,
    flat,
    objects,
    reordered,
    spelling,
    tables,
    vectors,
)


@dataclass(frozen=True)
class Way:
    """``as_read`` is the case that such input says, where it says less or orders it anew."""

    name: str
    evaluate: Callable[[Case, Path], Report | dict[str, Any]]
    fits: Callable[[Case], bool] = lambda _: True
    as_read: Callable[[Case], Case] = lambda case: case

    def report(self, case: Case, folder: Path) -> dict[str, Any]:
        """The report as plain data; names of files and how flat lists were read are the way's."""
        found = self.evaluate(case, folder)
        fields = found if isinstance(found, dict) else found.to_dict()
        return {name: value for name, value in fields.items() if name != "provenance"}


def _has_groups_only(case: Case) -> bool:
    return fitting.says_groups_only(case) and fitting.has_run(case)


def _has_vectors(case: Case) -> bool:
    return bool(case.vectors)


WAYS = (
    Way("records", objects.from_records),
    Way("mappings", objects.from_mappings, _has_groups_only),
    Way("models", objects.from_models, lambda case: not case.as_text),
    Way("objects", objects.from_objects, lambda case: not case.as_text),
    Way("Evaluator", objects.from_evaluator),
    Way(
        "scores by id",
        objects.from_scores_by_id,
        fitting.has_scores_by_id,
        reordered.by_score_and_id,
    ),
    Way("functions", objects.from_functions, fitting.is_self_contained),
    Way("JSON Lines", files.from_json_lines, fitting.has_run),
    Way("gzip", files.from_gzip, fitting.has_run),
    Way("JSON", files.from_json, fitting.has_run),
    Way("JSON by id", files.from_json_by_id, _has_groups_only),
    Way("fixture", files.from_fixture, fitting.is_self_contained),
    Way("parquet", files.from_parquet, fitting.has_run),
    Way("pandas", tables.from_frames, fitting.is_plain),
    Way("arrow", tables.from_arrow, fitting.is_plain),
    Way("CSV", tables.from_csv, fitting.is_tabular),
    Way("diversity qrels", tables.from_diversity_files, fitting.fits_trec, reordered.by_score),
    Way(
        "qrels",
        tables.from_qrels,
        lambda case: fitting.fits_trec(case) and bool(reordered.dissolved(case).metrics),
        reordered.dissolved,
    ),
    Way("flat", flat.from_flat, flat.is_flat),
    Way("profile and aliases", spelling.from_one_profile, as_read=spelling.of_one_profile),
    Way(
        "command line",
        spelling.from_command_line,
        lambda case: case.vectors is None and fitting.has_run(case),
    ),
    Way(
        "vectors of results",
        vectors.from_results,
        lambda case: _has_vectors(case) and bool(vectors.needing_results_only(case).metrics),
        vectors.needing_results_only,
    ),
    Way("vectors as JSON Lines", vectors.from_lines, _has_vectors),
    Way(
        "vectors as a matrix",
        vectors.from_matrix,
        lambda case: _has_vectors(case) and fitting.has_ids_of_text(case),
    ),
)
