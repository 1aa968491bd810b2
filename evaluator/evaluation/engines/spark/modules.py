"""PySpark, imported when it is first used: without it, this package can still be imported."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError, Problem

__all__ = ["Column", "DataFrame", "cloudpickle", "errors", "functions", "sql", "types"]

MISSING = "this needs PySpark 4 or later, and Java 17: pip install 'pyspark[sql]>=4'"

if TYPE_CHECKING:
    from pyspark import cloudpickle, errors, sql
    from pyspark.sql import Column, DataFrame, functions, types
else:
    Column = DataFrame = Any

    class _Late:
        def __init__(self, module: str) -> None:
            self._name = module

        def __getattr__(self, name: str) -> Any:
            wanted = self._name
            try:
                module = import_module(wanted)
            except ImportError:
                raise InputError([Problem(MISSING)]) from None
            return getattr(module, name)

    cloudpickle, errors, sql = map(_Late, ("pyspark.cloudpickle", "pyspark.errors", "pyspark.sql"))
    functions, types = _Late("pyspark.sql.functions"), _Late("pyspark.sql.types")
