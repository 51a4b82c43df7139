"""IPython's syntax as Python: its magics and shell lines, which do nothing here."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Final

MAX_MAGICS: Final = 1_000

# Cell magics whose body is ordinary code; the body of any other (%%bash, %%html …) is not run.
_CODE_MAGICS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "lprun"})
_CELL_MAGIC: Final = re.compile(r"%%(\S*)[ \t]*(\w*)")
# `%time f()` runs f in the namespace and may bind names: the one line magic that must run.
_TIME: Final = re.compile(r"(^[ \t]*|=[ \t]*)%time[ \t]+(?=[^\s-])", re.MULTILINE)


def as_python(source: str) -> str | None:
    """IPython's syntax as Python, every line keeping its number; None if no line is to be run."""
    lines = source.split("\n")
    top = 0
    while top < len(lines):
        if magic := _CELL_MAGIC.match(lines[top]):
            kind, argument = magic.groups()
            if kind not in _CODE_MAGICS:
                return None
            # `%%capture out` binds `out`, which later cells may use.
            binds = kind == "capture" and argument.isidentifier()
            lines[top] = f"{argument} = get_ipython()" if binds else ""
        elif lines[top].strip():
            break
        top += 1
    rest = _TIME.sub(r"\1", "\n".join(lines[top:]) + "\n")
    return "\n".join([*lines[:top], _transformed(rest)])


def _transformed(source: str) -> str:
    """IPython's own transformer, step by step: it folds a magic continued with backslashes into
    one line, and the lines that go missing are put back as empty ones behind it."""
    # Imported when needed, for it takes a while, and by name, for it is untyped.
    manager = import_module("IPython.core.inputtransformer2").TransformerManager()
    lines = source.splitlines(keepends=True)
    for tidy in manager.cleanup_transforms:
        lines = tidy(lines)
    for _ in range(MAX_MAGICS):
        changed, new = manager.do_one_token_transform(lines)
        if not changed:
            break
        pairs = zip(lines, new, strict=False)
        folded = next((at for at, (old, now) in enumerate(pairs, start=1) if old != now), 0)
        new[folded:folded] = ["\n"] * (len(lines) - len(new))
        lines = new
    return "".join(lines)
