"""The order in which test files run."""

from __future__ import annotations

import pytest

FIRST = ("test_corpus.py", "test_docs.py", "test_otter_walk.py", "test_hostile.py",
         "test_otter_parity.py", "test_pages.py", "test_check.py", "test_sandbox.py")
"""Files of half a minute and more begin: the short ones then even the processors out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; within a file nothing moves."""
    items.sort(key=lambda item: FIRST.index(item.path.name) if item.path.name in FIRST
               else len(FIRST))
