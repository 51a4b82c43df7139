"""Grades repaired PyTorch training loops by watching autograd itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.notebook import check

__all__ = ["check"]


def __getattr__(name: str) -> Any:
    """`check`, when it is asked for: it brings torch, which no command line waits for."""
    if name != "check":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from autograder import notebook

    return notebook.check
