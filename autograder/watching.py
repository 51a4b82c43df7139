"""Noticing that a file was saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

Stamp = tuple[int, int]


def saves(path: Path, pause: Callable[[], None] = lambda: time.sleep(0.3)) -> Iterator[None]:
    """Yields at once, then each time the file has changed and then stood still for a `pause`.

    Editors replace a file in several writes, or take it away for a moment: neither is a save.
    """
    yield
    graded = last = _stamp(path)
    while True:
        pause()
        now = _stamp(path)
        if now is not None and now == last and now != graded:
            graded = now
            yield
        last = now


def _stamp(path: Path) -> Stamp | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size
