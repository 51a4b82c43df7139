"""What a handed-in notebook calls of otter and of us, while it is being graded: it does nothing.

`grader.check(...)` would start our probe inside our probe, and `grader.export()` a second kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import autograder

OTTER = ("otter", "otter.check", "otter.check.notebook")
OURS = "autograder.notebook"


class Silent:
    """Answers every question, every call and every loop with nothing."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # or copy, pickle and IPython's display take it for another thing
            raise AttributeError(name)
        return self

    def __call__(self, *args: object, **kwargs: object) -> Any:  # noqa: D102
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __bool__(self) -> bool:
        return False


class _Module(ModuleType):
    """A module of which everything may be imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent


@contextmanager
def standing_in() -> Iterator[None]:
    """Inside, `import otter` and `from autograder import check` give stand-ins."""
    names = [*OTTER, OURS]
    before = {name: sys.modules.get(name) for name in names}
    ours: dict[str, Any] = vars(autograder)
    held: dict[str, Any] = {name: ours[name] for name in ("check", "notebook") if name in ours}
    for name in names:
        sys.modules[name] = _module(name)
    ours.update(check=Silent(), notebook=sys.modules[OURS])
    try:
        yield
    finally:
        for name in ("check", "notebook"):
            ours.pop(name, None)
        ours.update(held)
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


def _module(name: str) -> ModuleType:
    module = _Module(name)
    module.__spec__ = ModuleSpec(name, None)
    module.__path__ = []
    if name == OURS:
        vars(module).update(check=Silent(), expect=Silent(), points=Silent())
    return module
