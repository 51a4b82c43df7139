"""Files that are no submission, each damaged in its own way: name → bytes."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping


def files() -> dict[str, bytes]:
    cell = {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}
    whole = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    return {
        "empty_linear.ipynb": b"",
        "blank_linear.py": b" \n\n",
        "cut_linear.ipynb": whole[:60].encode(),
        "page_linear.ipynb": b"<!DOCTYPE html><html>log in</html>",
        "wide_linear.ipynb": whole.encode("utf-16"),
        "nulls_linear.py": b"x = 1\0\0\0",
        "latin_linear.py": b"x = '\xe9'\n",
        "pdf_linear.ipynb": b"%PDF-1.7 ...",
        "deep_linear.ipynb": b'{"cells": ' + b"[" * 200_000,
        "list_linear.ipynb": b"[1, 2, 3]",
        "number_linear.ipynb": b"9" * 10_000,
        "no_cells_linear.ipynb": b'{"nbformat": 4}',
        "odd_cells_linear.ipynb": b'{"cells": [1, null, "x"]}',
        "odd_source_linear.ipynb": b'{"cells": [{"cell_type": "code", "source": 5}]}',
        "no_code_linear.ipynb": b'{"cells": []}',
        "conflict_linear.py": b"<<<<<<< ours\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n",
        "huge_linear.py": b"#" * 21_000_000,
        "long_linear.py": b"x = 1\n" * 500_000,
        "not_linear.zip": b"PK\x03\x04 nothing of the kind",
        "cut_linear.zip": zipped({"linear.py": b"x = 1"})[:60],
        "bomb_linear.zip": zipped({"linear.py": b"\0" * 200_000_000}),
        "many_linear.zip": zipped({f"linear{n}.py": b"" for n in range(3000)}),
        "two_linear.zip": zipped({"a.ipynb": b"{}", "b.ipynb": b"{}"}),
        "climbing_linear.zip": zipped({"../../climbed.txt": b"x", "/etc/climbed": b"x"}),
        "nested_linear.zip": zipped({"linear.zip": zipped({"linear.py": b"x = 1"})}),
    }


def zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()
