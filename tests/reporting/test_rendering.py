"""Methods of results that write them in a form: one per form, the same for every kind of result."""

import gzip
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from groupwise import Report, compare, evaluate, explain, inspect, power, remap, validate
from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.reporting.forms import Kind, find_forms
from groupwise.schemas.rendering import Published, Rendered, Tabular

TRUTH = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RUN = {"q1": ["a", "x", "c"], "q2": ["y", "d"]}
OTHER = {"q1": ["x", "a"], "q2": ["d"]}
KINDS = get_args(Kind)
TEXT_FORMS = [(kind, name) for kind in KINDS for name in find_forms(kind).built_in]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rendered]:
    path = tmp_path_factory.mktemp("results") / "truth.json"
    path.write_text(json.dumps({"q1": {"ground_truth": [["a"]]}}))
    return {
        "report": evaluate(TRUTH, RUN, metrics=["recall", "mrr@1"]),
        "comparison": compare(TRUTH, {"a": RUN, "b": OTHER}, metrics=["recall"]),
        "explanation": explain(TRUTH, RUN),
        "findings": validate(TRUTH, run=RUN),
        "power": power(TRUTH, {"a": RUN}, metrics=["recall"]),
        "inspection": inspect(path),
        "remap": remap({"q1": [["a"]]}, old={"a": "some text"}, new={"n": "some text"}),
    }


def test_every_kind_of_result_is_tested(results: dict[str, Rendered]) -> None:
    assert set(results) == set(KINDS)
    assert {kind: result.kind for kind, result in results.items()} == {kind: kind for kind in KINDS}
    assert {type(result) for result in results.values()} == set(_list_concrete(Rendered))


def _list_concrete(base: Any) -> list[Any]:
    found = [leaf for derived in base.__subclasses__() for leaf in _list_concrete(derived)]
    return found or [base]


def test_every_method_is_that_of_a_form(results: dict[str, Rendered]) -> None:
    others = {"to_dict", "to_parquet", "to_pandas", "to_polars", "to_arrow"}
    for kind, result in results.items():
        methods = {name for name in dir(result) if name.startswith("to_")} - others
        for method in methods:
            assert getattr(result, method)() == result.render(method.removeprefix("to_")), kind


@pytest.mark.parametrize("base", [Rendered, Tabular, Published])
def test_every_form_that_is_shared_has_a_method(base: type[Rendered]) -> None:
    kinds = [derived.kind for derived in _list_concrete(base)]
    shared = set.intersection(*(set(find_forms(kind).built_in) for kind in kinds))
    for name in shared - {"table", "text"}:
        assert hasattr(base, f"to_{name}"), name


@pytest.mark.parametrize(("kind", "name"), TEXT_FORMS)
def test_every_form_is_saved(
    results: dict[str, Rendered], kind: str, name: str, tmp_path: Path
) -> None:
    result, form = results[kind], find_forms(kind).choose(name)
    result.save(tmp_path / "named", name)
    written = (tmp_path / "named").read_bytes()
    assert form.is_binary or written.decode() == result.render(name)
    for suffix in form.suffixes:
        result.save(tmp_path / f"file{suffix}")
        result.save(tmp_path / f"file{suffix}.gz")
        assert (tmp_path / f"file{suffix}").read_bytes() == written
        assert gzip.decompress((tmp_path / f"file{suffix}.gz").read_bytes()) == written


def test_options_of_the_layout(results: dict[str, Rendered]) -> None:
    report = results["report"]
    assert isinstance(report, Report)
    assert "q1" in report.to_markdown(worst=1)
    assert "q1" not in report.to_markdown()
    assert "q1" in report.render("table", worst=1)
    with pytest.raises(
        ValueError,
        match=r"the form 'markdown' has no option 'wrst'; it takes worst, ceilings",
    ):
        report.to_markdown(wrst=1)
    with pytest.raises(ValueError, match="the form 'csv' has no option 'worst'; it takes none"):
        report.to_csv(worst=1)
    with pytest.raises(ValueError, match="the form 'csv' has no option 'worst'"):
        report.save("report.csv", worst=1)


def test_what_cannot_be_saved_leaves_no_file(results: dict[str, Rendered], tmp_path: Path) -> None:
    report = results["report"]
    with pytest.raises(
        ValueError, match=r"no format has the suffix '.xyz'; .*form=NAME.*json \(.json\)"
    ):
        report.save(tmp_path / "report.xyz")
    with pytest.raises(OutputError):
        report.save(tmp_path / "missing" / "report.json")
    assert not list(tmp_path.iterdir())
