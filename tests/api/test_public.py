"""The public face: complete, sorted, documented, typed, and quick to import."""

import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import groupwise
from groupwise import metrics
from groupwise.evaluator.metrics.registry import every_metric

CONTRACT = {"Dataset", "InputError", "Report", "Run", "UnknownMetric", "evaluate", "hit_vector"}


def test_all_is_sorted_and_complete() -> None:
    assert groupwise.__all__ == sorted(groupwise.__all__)
    assert set(groupwise.__all__) >= CONTRACT
    assert len(groupwise.__all__) == len(set(groupwise.__all__))


def test_dir_shows_the_public_names_only() -> None:
    assert dir(groupwise) == groupwise.__all__
    loaded = {name for name in vars(groupwise) if not name.startswith("_")}
    modules = {name for name in loaded if isinstance(vars(groupwise)[name], ModuleType)}
    helpers = {"TYPE_CHECKING", "Any", "import_module"}
    assert loaded - modules - helpers <= set(groupwise.__all__)


def test_metrics_need_no_import_of_their_own() -> None:
    script = (
        "import groupwise; print(groupwise.metrics.recall([['a', 'b'], ['c']], ['a', 'x'], k=1))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0.5"


def test_public_names_are_documented() -> None:
    for name in groupwise.__all__:
        public = getattr(groupwise, name)
        own = inspect.getdoc(public)
        assert own, name
        assert own != inspect.getdoc(type(public).__mro__[-1]), name


def test_what_public_classes_offer_is_documented() -> None:
    for public in filter(inspect.isclass, (getattr(groupwise, name) for name in groupwise.__all__)):
        own = {
            attribute: value
            for base in public.__mro__
            if base.__module__.startswith("groupwise")
            for attribute, value in vars(base).items()
        }
        for attribute, value in own.items():
            if not attribute.startswith("_") and (inspect.isroutine(value) or is_property(value)):
                assert inspect.getdoc(getattr(public, attribute)), (public, attribute)


def is_property(value: object) -> bool:
    return isinstance(value, property)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="evalute"):
        groupwise.evalute  # noqa: B018
    with pytest.raises(AttributeError, match="recal"):
        metrics.recal  # type: ignore[attr-defined]  # noqa: B018


def test_every_metric_is_a_plain_function_too() -> None:
    assert metrics.__all__ == sorted({metric.name for _, metric in every_metric()})
    for name in metrics.__all__:
        function = getattr(metrics, name)
        assert function.__name__ == name
        assert inspect.getdoc(function)


def test_importing_the_package_loads_no_heavy_module() -> None:
    script = (
        "import sys, groupwise; heavy = {'numpy', 'pydantic', 'orjson', 'rich'}; "
        "print(heavy & {name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_the_errors_have_one_base_and_are_value_errors_where_the_contract_says_so() -> None:
    for error in (groupwise.InputError, groupwise.UnknownMetric, groupwise.OutputError):
        assert issubclass(error, groupwise.GroupwiseError)
    assert issubclass(groupwise.InputError, ValueError)
    assert issubclass(groupwise.UnknownMetric, ValueError)
    assert issubclass(groupwise.OutputError, OSError)
