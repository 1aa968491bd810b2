"""What functions of the library take: one declaration for arguments of the same name."""

from groupwise.evaluator.arguments.checking import checks_arguments

__all__ = ["checks_arguments"]
