"""Parameters of metrics and matchers, declared by the keyword-only arguments of a function."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

TRUTH_VALUES = {"true": True, "false": False}


@dataclass(frozen=True)
class Between:
    """The bounds of a parameter, as an annotation; both are inclusive."""

    low: float
    high: float


@dataclass(frozen=True)
class Parameter:
    """A keyword-only argument: its name, its type, its default, and the values it accepts."""

    name: str
    kind: type
    default: Any
    choices: tuple[str, ...] = ()
    bounds: Between | None = None

    @property
    def accepted(self) -> str:
        """The accepted values, as text."""
        if self.choices:
            return " or ".join(self.choices)
        if self.bounds:
            return f"a number from {self.bounds.low} to {self.bounds.high}"
        return _ACCEPTED.get(self.kind, "text")

    def value(self, given: Any) -> Any:
        """Return the value that a text or a value stands for.

        Raises:
            ValueError: It is not accepted.
        """
        value = self._from_text(given) if isinstance(given, str) else self._as_kind(given)
        if self.choices and value not in self.choices:
            raise ValueError(given)
        if self.bounds and not self.bounds.low <= value <= self.bounds.high:
            raise ValueError(given)
        return value

    def _from_text(self, text: str) -> Any:
        if text == "" and (self.kind is not str or self.default != ""):
            raise ValueError(text)
        if self.kind is bool:
            if text.lower() not in TRUTH_VALUES:
                raise ValueError(text)
            return TRUTH_VALUES[text.lower()]
        return self.kind(text)

    def _as_kind(self, given: Any) -> Any:
        if type(given).__module__ == "numpy" and hasattr(given, "item"):
            given = given.item()
        if self.kind is float and type(given) is int:
            return _convert_to_float(given)
        if type(given) is not self.kind:
            raise ValueError(given)
        return given


def _convert_to_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError(number) from None


_ACCEPTED: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number"}


def parameters_of(function: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of a function or class by name."""
    arguments = _signature_of(function).parameters.values()
    return {
        argument.name: _parameter_of(argument)
        for argument in arguments
        if argument.kind is argument.KEYWORD_ONLY
    }


def _signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature; annotations that are text are evaluated, if their names are known."""
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:
        return inspect.signature(function)


def _parameter_of(argument: inspect.Parameter) -> Parameter:
    default, annotation = argument.default, argument.annotation
    bounds = next((mark for mark in get_args(annotation) if isinstance(mark, Between)), None)
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    return Parameter(argument.name, type(default), default, choices, bounds)
